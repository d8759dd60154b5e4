import { z } from 'zod'
import type { ClientView } from '../exchange/clients.ts'
import type { SessionEnd } from '../identity/auth.ts'
import { place, userPath } from './paths.ts'

/**
 * `/ws/files`: JSON text frames. The client signs in first, then calls operations by name and may watch folders.
 * Requests carry an `id`; the answer repeats it with `code` 200 and `data`, or with an error code and `message`.
 */
export const socketRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('login'),
    id: z.int(),
    /** Either a session token, or the user name and password derived from it (see `transferCredentials`). */
    token: z.string().max(200).optional(),
    username: z.string().max(256).optional(),
    password: z.string().max(1024).optional(),
    spaceId: place.spaceId,
  }),
  z.strictObject({ type: z.literal('call'), id: z.int(), operation: z.string().max(40), input: z.unknown() }),
  z.strictObject({ type: z.literal('watch'), id: z.int(), ...place, folder: userPath }),
  z.strictObject({ type: z.literal('unwatch'), id: z.int(), ...place, folder: userPath }),
  z.strictObject({ type: z.literal('ping'), id: z.int() }),
])
export type SocketRequest = z.input<typeof socketRequest>

/** What the server says by itself. */
export type SocketEvent =
  /** Something in a watched folder changed; list it again (at most one event a second and folder). */
  | {
      readonly type: 'event'
      readonly event: 'folder.changed'
      readonly spaceId: number
      readonly groupId: number
      readonly folder: string
    }
  | { readonly type: 'event'; readonly event: 'job.changed'; readonly job: unknown }
  /** The number of unread notices changed; the list has the new ones. Told after the login as well. */
  | { readonly type: 'event'; readonly event: 'notice.changed'; readonly unread: number }
  /** The account's desktop client came, went or changed. */
  | { readonly type: 'event'; readonly event: 'client.changed'; readonly client: ClientView }
  /** A desktop client of this account was turned away: 5506 says that this edition has no room for it. */
  | {
      readonly type: 'event'
      readonly event: 'client.refused'
      readonly code: number
      readonly message: string
      readonly data: Readonly<Record<string, unknown>>
    }
  /** The session was ended by the server; the socket closes with 4401 after it. */
  | { readonly type: 'event'; readonly event: 'session.ended'; readonly reason: SessionEnd }

export type SocketAnswer =
  | { readonly type: 'answer'; readonly id: number; readonly code: 200; readonly data: unknown }
  | {
      readonly type: 'answer'
      readonly id: number
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }

/** Close code of a socket whose session ended. */
export const SOCKET_SESSION_ENDED = 4401
/** Close code of a socket that did not sign in within 10 s, or sent what the schema refuses. */
export const SOCKET_PROTOCOL_ERROR = 4400
