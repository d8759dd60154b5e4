import type { Selectable } from 'kysely'

interface PasskeysTable {
  id: string
  user_id: string
  /** SHA-256 of the credential id, which is too long for a key. */
  credential_hash: string
  /** base64url */
  credential_id: string
  /** Host name it was made for. */
  site: string
  /** COSE key in base64url. */
  public_key: string
  counter: number
  /** Separated by commas. */
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly passkeys: PasskeysTable
  }
}

export type PasskeyRow = Selectable<PasskeysTable>
