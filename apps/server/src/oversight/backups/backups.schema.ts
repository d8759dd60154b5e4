interface BackupsTable {
  /** Grows with time. */
  id: string
  state: BackupState
  occasion: 'schedule' | 'manual'
  /** Absolute path of the archive. */
  file: string
  bytes: number
  files: number
  /** Why it failed, as the log has it. */
  reason: string
  started_at: number
  finished_at: number | null
  drill_state: DrillState
  drill_reason: string
  drilled_at: number | null
}

export type BackupState = 'running' | 'done' | 'failed'
/** '' until there was one. */
export type DrillState = '' | 'running' | 'passed' | 'failed'

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly backups: BackupsTable
  }
}

export type { BackupsTable }
