import type { Selectable } from 'kysely'

/** What is to become of somebody's files. */
export type FilesFate = 'keep' | 'delete' | 'hand-over'
export type RemovalState = 'kept' | 'working' | 'done' | 'failed'

interface RemovedAccountsTable {
  /** That of the account. */
  id: string
  account: string
  name: string
  /** Folder of the personal files inside a space's storage. */
  home: string
  removed_at: number
  /** Account of whoever removed it; '' for the command line. */
  removed_by: string
  files: FilesFate
  /** `kept`: the files are where they were. `done`: there are none any more. */
  state: RemovalState
  /** The job that is at work. */
  job_id: string
  /** Who gets the files; '' where nobody does. */
  to_id: string
  to_account: string
  /** Where they are now, by the space they come from, see {@link HandedOver}; JSON. */
  folders: string
  /** The storage that holds copies on their way to it; 0: none. */
  staged_on: number
  /** What was booked to the account when it was removed. */
  bytes: number
  /** What ended the last try: `code` and `details` of an AppError, as JSON; '' where nothing did. */
  error: string
}

/** A home in the personal files of another account. */
export interface HandedOver {
  readonly account: string
  readonly path: string
  /** False while it is only decided. */
  readonly isDone: boolean
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly removed_accounts: RemovedAccountsTable
  }
}

export type RemovedAccountRow = Selectable<RemovedAccountsTable>
