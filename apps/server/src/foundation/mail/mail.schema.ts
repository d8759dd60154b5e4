import type { Selectable } from 'kysely'

interface MailSendersTable {
  /** Account that owns it; '' is the system's. */
  owner_id: string
  from_name: string
  /** `wire` of MAIL_PROVIDERS. */
  provider: number
  account: string
  /** Sealed by the vault; '' without a password. */
  password_sealed: string
  host: string
  port: number
  /** MAIL_ENCRYPTION. */
  encryption: number
  updated_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly mail_senders: MailSendersTable
  }
}

export type SenderRow = Selectable<MailSendersTable>
