interface SpaceMembersTable {
  user_id: string
  space_id: number
  /** 1 in the one row whose space the account works in. */
  chosen: number
  /** 1: administrator of the space. */
  is_admin: number
  /** Permission bits in the personal files of this space, stored form; null: those of the account. */
  permission: number | null
  /** JSON of the settings of transfers that hold for the account in this space alone; null without any. */
  transfer: string | null
}

/** What narrows a space for everybody in it; a space without any rule has no row. */
interface SpaceRulesTable {
  space_id: number
  /** Addresses that may use it; '' is all. */
  allowed_addresses: string
  denied_addresses: string
  /** JSON of the limits on all its transfers together; null without any. */
  speed_rules: string | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly space_members: SpaceMembersTable
    readonly space_rules: SpaceRulesTable
  }
}

export type { SpaceMembersTable, SpaceRulesTable }
