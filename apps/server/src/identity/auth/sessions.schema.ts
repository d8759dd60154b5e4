import type { Selectable } from 'kysely'

interface SessionsTable {
  id: string
  user_id: string
  /** SHA-256 of the token; the token itself is never stored. */
  token_hash: string
  refresh_hash: string
  created_at: number
  last_seen_at: number
  address: string
  user_agent: string
}

interface SpentRefreshTokensTable {
  refresh_hash: string
  session_id: string
  spent_at: number
}

interface SignInFailuresTable {
  /** `account:KEY` or `address:KEY`. */
  subject: string
  failures: number
  since: number
  locked_until: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly sessions: SessionsTable
    readonly spent_refresh_tokens: SpentRefreshTokensTable
    readonly sign_in_failures: SignInFailuresTable
  }
}

export type SessionRow = Selectable<SessionsTable>
export type FailureRow = Selectable<SignInFailuresTable>
