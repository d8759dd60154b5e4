/** How far each log was sent; without a row nothing of it is sent. */
interface SyslogPositionsTable {
  /** `operations`, `sign-ins`. */
  log: string
  /** Of the last record that arrived. */
  position: string
  /** What keeps the next one from arriving; '' when all is well. */
  error: string
  tried_at: number
  /** The same as one of a few reasons; '' when all is well. */
  reason: string
  /** When the collector took something last; null: never. */
  delivered_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly syslog_positions: SyslogPositionsTable
  }
}

export type { SyslogPositionsTable }
