import type { Selectable } from 'kysely'

interface EmailCodesTable {
  purpose: string
  /** Keyed hash of the folded account or e-mail: whoever asks about strangers fills no table with them. */
  subject: string
  /** Keyed hash of the code; '' until one was sent. */
  code_mac: string
  /** Null: there is nobody, and no code fits. */
  user_id: string | null
  /** 0 until one was sent. */
  sent_at: number
  expires_at: number
  tries: number
}

interface PasswordResetsTable {
  token_hash: string
  user_id: string
  expires_at: number
}

/** Where an account has signed in from. */
interface SignInSourcesTable {
  user_id: string
  /** An IPv4 address or the /64 of an IPv6 address. */
  source: string
  first_seen_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly email_codes: EmailCodesTable
    readonly password_resets: PasswordResetsTable
    readonly sign_in_sources: SignInSourcesTable
  }
}

export type CodeRow = Selectable<EmailCodesTable>
