import type { ClientView } from '../exchange/clients.ts'
import type { SessionEnd } from '../identity/auth.ts'

/** What the server sends over `/ws/files`, apart from the schemas of requests, which a page does not load. */

export const FILE_SOCKET_PATH = '/ws/files'

/** Close code of a socket whose session ended. */
export const SOCKET_SESSION_ENDED = 4401
/** Close code of a socket that did not sign in within 10 s, or sent what the schema refuses. */
export const SOCKET_PROTOCOL_ERROR = 4400

/** What the server sends by itself: the fields of each event, by its name. */
export interface PushMessages {
  /** Something in a watched folder changed; list it again (at most one event a second and folder). */
  readonly 'folder.changed': { readonly spaceId: number; readonly groupId: number; readonly folder: string }
  /** A copy, move or other long work on files has moved on. */
  readonly 'job.changed': { readonly job: unknown }
  /** The number of unread notices changed; the list has the new ones. Sent after the login as well. */
  readonly 'notice.changed': { readonly unread: number }
  /** The account's desktop client came, went or changed. */
  readonly 'client.changed': { readonly client: ClientView }
  /** A desktop client of this account was turned away: 5506 says that this edition has no room for it. */
  readonly 'client.refused': {
    readonly code: number
    readonly message: string
    readonly data: Readonly<Record<string, unknown>>
  }
  /** The session was ended by the server; the socket closes with 4401 after it. */
  readonly 'session.ended': { readonly reason: SessionEnd }
}

export type SocketEventOf<Name extends keyof PushMessages> = {
  readonly type: 'event'
  readonly event: Name
} & PushMessages[Name]
/** Any of them; its `event` tells which. */
export type SocketEvent = { readonly [Name in keyof PushMessages]: SocketEventOf<Name> }[keyof PushMessages]

export type SocketAnswer =
  | { readonly type: 'answer'; readonly id: number; readonly code: 200; readonly data: unknown }
  | {
      readonly type: 'answer'
      readonly id: number
      readonly code: number
      readonly message: string
      readonly data?: Readonly<Record<string, unknown>>
    }
