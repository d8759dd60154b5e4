import type { ScimNewAccounts } from '@godwit/contract'
import type { Selectable } from 'kysely'

interface ScimConnectionsTable {
  /** There is one: `site`. */
  name: string
  enabled: number
  new_accounts: ScimNewAccounts
  /** Stored form. */
  permission: number
  /** SHA-256 of the token; the token itself is never stored. '' without one. */
  token_hash: string
  /** Account of who made the token. */
  created_by: string
  created_at: number | null
  /** To the minute. */
  used_at: number | null
  revision: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly scim_connections: ScimConnectionsTable
  }
}

export type ConnectionRow = Selectable<ScimConnectionsTable>
