import type { Door } from '../../kernel/context.ts'
import type { TransferPriority, TransferState, TransferView } from '@godwit/contract'
import type { Generated, Selectable } from 'kysely'

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
  /** JSON: what a download by a client consists of, '[]' for an upload by one; of others the first five files. */
  paths: string
  label: string
  /** Of an upload that a client has begun, in hex; the name of the page that sends one; '' before. */
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
  /** JSON of `bottleneckFigures`; '' while none is known. */
  bottleneck_figures: string
  device: string
  address: string
  created_at: number
  updated_at: number
  finished_at: number
  expires_at: number
  /** When a client first connected; 0 before. */
  started_at: number
  /** File bytes that crossed the network in all its connections. */
  bytes_moved: number
  /** What its account and what an administrator allow, kilobits per second; 0: no limit. */
  rate_kbps: number
  ceiling_kbps: number
  priority: TransferPriority
  /** When it is to have arrived; 0: no matter when. */
  deadline: Generated<number>
  /** By how much it comes too late at the rate that it can get, as of its last run; 0: in time. */
  late_ms: Generated<number>
  /** `transfer`: by a client. */
  door: Generated<Door>
  /** 1: its account took it off its list; the console keeps it. */
  is_cleared: Generated<number>
}

/** Files that failed in the last run of a transfer that ended. */
interface TransferFilesTable {
  transfer_id: string
  seq: number
  path: string
  code: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly transfers: TransfersTable
    readonly transfer_files: TransferFilesTable
  }
}

export type TransferRow = Selectable<TransfersTable>

/** Whose rights a transfer has. */
export type Bound = Pick<TransferRow, 'user_id' | 'session_id' | 'api_token_id' | 'stamp'>
