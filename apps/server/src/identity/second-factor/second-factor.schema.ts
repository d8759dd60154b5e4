import type { Selectable } from 'kysely'

interface SecondFactorsTable {
  user_id: string
  /** Sealed by the vault. */
  sealed_secret: string
  /** 0 until a code of it was shown: it is not asked for before. */
  confirmed: number
  last_step: number
}

interface RecoveryCodesTable {
  user_id: string
  code_hash: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly second_factors: SecondFactorsTable
    readonly recovery_codes: RecoveryCodesTable
  }
}

export type SecondFactorRow = Selectable<SecondFactorsTable>
