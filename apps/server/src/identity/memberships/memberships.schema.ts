interface SpaceMembersTable {
  user_id: string
  space_id: number
  /** 1 in the one row whose space the account works in. */
  chosen: number
  /** 1: administrator of the space. */
  is_admin: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly space_members: SpaceMembersTable
  }
}

export type { SpaceMembersTable }
