/** One row for the whole installation. */
export interface ServerStateTable {
  name: string
  /** Unix milliseconds; null while the server takes everything. */
  paused_at: number | null
  /** Tells one order from the next; '' before the first. */
  order_id: string
  order_kind: 'restart' | 'shutdown' | ''
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly server_state: ServerStateTable
  }
}
