import type { Selectable } from 'kysely'

interface SessionsTable {
  id: string
  user_id: string
  /** SHA-256 of the token; the token itself is never stored. */
  token_hash: string
  refresh_hash: string
  /** The pair before this one, good until this one is used for the first time; null from then on. */
  previous_token_hash: string | null
  previous_refresh_hash: string | null
  created_at: number
  last_seen_at: number
  address: string
  user_agent: string
}

/** Tokens that nobody shows in good faith any more: showing one ends its session. */
interface SpentRefreshTokensTable {
  /** SHA-256 of a refresh token, or of a login token that was replaced before it was used. */
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
