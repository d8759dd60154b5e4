import type { TransferState, TransferView } from '@godwit/contract'
import type { Selectable } from 'kysely'

/** Times are Unix milliseconds. */
interface TransfersTable {
  /** Grows with time; the id of the ticket as well. */
  id: string
  user_id: string
  direction: TransferView['direction']
  space_id: number
  group_id: number
  /** Folder that takes an upload; '' for a download. */
  folder: string
  /** What a download consists of, as JSON; '[]' for an upload. */
  paths: string
  label: string
  /** Of an upload that a client has begun, in hex; '' before. */
  task: string
  /** The session or API token that asked for it; '' for the other kind. */
  session_id: string
  api_token_id: string
  /** Hash of the account's password hash then: a new password ends the ticket. */
  stamp: string
  state: TransferState
  /** What the account wants, connected or not. */
  is_paused: number
  /** Why it failed, a name of the error catalogue or of the engine; '' otherwise. */
  error: string
  files: number
  files_done: number
  bytes: number
  bytes_done: number
  bytes_per_second: number
  failures: number
  network_path: string
  path_reason: string
  bottleneck: string
  bottleneck_text: string
  device: string
  address: string
  created_at: number
  updated_at: number
  finished_at: number
  expires_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly transfers: TransfersTable
  }
}

export type TransferRow = Selectable<TransfersTable>
