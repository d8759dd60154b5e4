import type { Selectable } from 'kysely'

/** What an identity management says of an account beyond what the account itself holds. */
interface ScimAccountsTable {
  user_id: string
  /** The other side's own id of the person; '' when it gave none. */
  external_id: string
  /** The name that the person signs in with there, as it was sent: often an e-mail address. */
  user_name: string
  /** Case-folded user name. */
  user_name_key: string
  given_name: string
  family_name: string
  /** 1: locked because the other side switched the person off, so it is unlocked when they are switched on again. */
  locked_by_scim: number
  changed_at: number
}

interface ScimGroupsTable {
  group_id: number
  external_id: string
  changed_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly scim_accounts: ScimAccountsTable
    readonly scim_groups: ScimGroupsTable
  }
}

export type ScimAccountRow = Selectable<ScimAccountsTable>
export type ScimGroupRow = Selectable<ScimGroupsTable>
