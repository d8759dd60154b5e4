import type { AcmeReason } from '@godwit/contract'

interface AcmeAccountsTable {
  /** SHA-256 of the address of the directory, in hex. */
  id: string
  directory: string
  sealed_key: string
  made_at: number
}

interface AcmeChallengesTable {
  /** As the authority chose it. */
  token: string
  /** What is answered to whoever asks for the token: no secret. */
  answer: string
  expires_at: number
}

interface AcmeStateTable {
  /** Always 1: there is one site. */
  id: number
  /** Since when somebody waits for an order; 0: nobody does. */
  wanted_at: number
  /** Begin of the order under way; 0: none is. */
  started_at: number
  /** End of the last order; 0 before the first. */
  tried_at: number
  /** Orders that failed one after another. */
  failures: number
  /** Of the last failure; '' after a success. */
  reason: AcmeReason | ''
  /** What the authority said of it. */
  words: string
  /** What the failures are about: with other settings the next order does not wait. */
  settings_id: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly acme_accounts: AcmeAccountsTable
    readonly acme_challenges: AcmeChallengesTable
    readonly acme_state: AcmeStateTable
  }
}

export type { AcmeAccountsTable, AcmeStateTable }
