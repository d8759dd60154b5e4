interface TicketsTable {
  /** Of the secret. */
  hash: string
  purpose: string
  /** JSON: what it opens, and for whom it was made. */
  content: string
  expires_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly tickets: TicketsTable
  }
}

export type { TicketsTable }
