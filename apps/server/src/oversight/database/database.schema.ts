import type { DatabaseCopyState } from '@godwit/contract'

/** The one copy that there is; another one takes its place. */
interface DatabaseCopiesTable {
  id: string
  /** JSON without the password. */
  target: string
  sealed_password: string
  state: DatabaseCopyState
  /** Why it failed, in English. */
  reason: string
  /** JSON: what of each table has arrived. */
  tables: string
  job_id: string
  started_at: number
  /** The state of the source that was copied; 0 before. */
  read_at: number
  finished_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly database_copies: DatabaseCopiesTable
  }
}

export type { DatabaseCopiesTable }
