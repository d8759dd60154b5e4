import type { Selectable } from 'kysely'

interface UsersTable {
  id: string
  account: string
  /** Case-folded account: accounts that differ only in case are one. */
  account_key: string
  name: string
  email: string
  /** Case-folded e-mail; null without one. */
  email_key: string | null
  account_type: number
  is_admin: number
  /** Exactly one row has 1. */
  is_super: number
  password_hash: string
  must_reset: number
  locked: number
  permission: number
  /** Null: the installation's default. 0: no limit. */
  quota_bytes: number | null
  /** Folder of the personal files inside a space's storage; never changes. */
  home: string
  created_at: number
  phone: string
  department_id: number | null
  /** Counts up with each change an administrator makes. */
  revision: number
  /** Null before the first sign-in. */
  last_sign_in_at: number | null
  /** The account can be used from then, and until then; null: no bound. */
  valid_from: number | null
  valid_until: number | null
  /** JSON of what narrows the account's rights; null: nothing. */
  file_rules: string | null
  /** JSON of how fast the account may send and receive; null: no limit. */
  speed_rules: string | null
  /** Where the account may be used from; '' is everywhere. */
  login_addresses: string
}

/** Folders that belonged to removed accounts: a namesake must not inherit their files. */
interface RetiredHomesTable {
  home: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly users: UsersTable
    readonly retired_homes: RetiredHomesTable
  }
}

export type UserRow = Selectable<UsersTable>
