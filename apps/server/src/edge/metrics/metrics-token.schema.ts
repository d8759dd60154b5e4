interface MetricsTokensTable {
  /** There is one: `site`. */
  name: string
  /** SHA-256 of the token; the token itself is never stored. */
  token_hash: string
  /** Account of who made it. */
  created_by: string
  created_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly metrics_tokens: MetricsTokensTable
  }
}

export type { MetricsTokensTable }
