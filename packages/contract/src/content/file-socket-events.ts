import type { ClientView } from '../exchange/clients.ts'
import type { SessionEnd } from '../identity/auth.ts'

/** What the server sends over `/ws/files`, apart from the schemas of requests, which a page does not load. */

export const FILE_SOCKET_PATH = '/ws/files'

/** Close code of a socket whose session ended. */
export const SOCKET_SESSION_ENDED = 4401
/** Close code of a socket that did not sign in within 10 s, or sent what the schema refuses. */
export const SOCKET_PROTOCOL_ERROR = 4400

/** What the server sends on its own. */
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
  /** The number of unread notices changed; also sent after the login. */
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
      readonly data?: Readonly<Record<string, unknown>>
    }
