interface QuotasTable {
  /** A bucket: the id of an account, or `group:` and the number of a group. */
  user_id: string
  /** Bytes of visible files. */
  used_bytes: number
  /** Bytes promised to uploads and copies under way. */
  reserved_bytes: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly quotas: QuotasTable
  }
}
