import type { ClientView } from '../exchange/clients.ts'
import type { TransferView } from '../exchange/transfers.ts'
import type { SessionEnd } from '../identity/auth.ts'

/** What the server sends over `/ws/files`, apart from the schemas of requests, which a page does not load. */

export const FILE_SOCKET_PATH = '/ws/files'

/** Close code of a socket whose session ended. */
export const SOCKET_SESSION_ENDED = 4401
/** Close code of a socket that did not sign in within 10 s, or sent what the schema refuses. */
export const SOCKET_PROTOCOL_ERROR = 4400

/** What a page may follow until it closes its socket; each leads to the event `TOPIC.changed`. */
export const SOCKET_TOPICS = ['dashboard'] as const

/** Events that the server sends: their fields, by name. */
export interface PushMessages {
  /** Something in a watched folder changed; list it again (at most one event a second and folder). */
  readonly 'folder.changed': { readonly spaceId: number; readonly groupId: number; readonly folder: string }
  /** A copy, move or other long work on files has moved on. */
  readonly 'job.changed': { readonly job: unknown }
  /** The number of unread notices changed. Also sent after the login. */
  readonly 'notice.changed': { readonly unread: number }
  /** The account's desktop client connected, disconnected or changed. */
  readonly 'client.changed': { readonly client: ClientView }
  /** A desktop client of this account was turned away: 5506 means that the edition allows no further client. */
  readonly 'client.refused': {
    readonly code: number
    readonly message: string
    readonly data: Readonly<Record<string, unknown>>
  }
  /** What the account may do was changed: what the page shows of it is out of date. */
  readonly 'account.changed': Readonly<Record<string, never>>
  /** A transfer of the account by a client began, moved on (at most once a second) or ended. */
  readonly 'transfer.changed': { readonly transfer: TransferView }
  /** The server took a new sample of itself. Sent to pages that follow `dashboard`. */
  readonly 'dashboard.changed': Readonly<Record<string, never>>
  /** Somebody made a link for the account, or took one back. */
  readonly 'links.received': Readonly<Record<string, never>>
  /** The session was ended by the server; the socket closes with 4401 after it. */
  readonly 'session.ended': { readonly reason: SessionEnd }
}

export type SocketEventOf<Name extends keyof PushMessages> = {
  readonly type: 'event'
  readonly event: Name
} & PushMessages[Name]
/** Any of them, distinguished by `event`. */
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
