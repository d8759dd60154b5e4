import type { Selectable } from 'kysely'

interface ApiTokensTable {
  id: string
  user_id: string
  token_hash: string
  /** Hash of the password's hash when it was made: a changed password ends it, whoever changed it. */
  password_stamp: string
  name: string
  /** Stored form of the permission bits. */
  permission: number
  created_at: number
  expires_at: number
  last_used_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly api_tokens: ApiTokensTable
  }
}

export type ApiTokenRow = Selectable<ApiTokensTable>
