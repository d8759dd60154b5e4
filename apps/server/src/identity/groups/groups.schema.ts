import type { Generated, Selectable } from 'kysely'

interface UserGroupsTable {
  /** Never given again: the files of a removed group stay under it. */
  id: Generated<number>
  space_id: number
  name: string
  /** Case-folded name: groups of a space that differ only in case are one. */
  name_key: string
  /** Bytes that all members together may keep; 0: no limit. */
  quota_bytes: number
  /** JSON of what an administrator set for all transfers of the library; null: no limit. */
  speed_rules: string | null
  created_at: number
  /** Counts up with each change made in the console. */
  revision: Generated<number>
}

interface GroupMembersTable {
  group_id: number
  user_id: string
  /** Permission bits inside the group, stored form; they replace those of the account there. */
  permission: number
  /** 1: administrator of the group. */
  is_admin: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly user_groups: UserGroupsTable
    readonly group_members: GroupMembersTable
  }
}

export type GroupRow = Selectable<UserGroupsTable>
export type GroupMemberRow = Selectable<GroupMembersTable>
