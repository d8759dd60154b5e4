import type { Selectable } from 'kysely'

interface SignInsTable {
  id: string
  user_id: string
  at: number
  address: string
  user_agent: string
  method: string
  result: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly sign_ins: SignInsTable
  }
}

export type SignInRow = Selectable<SignInsTable>
