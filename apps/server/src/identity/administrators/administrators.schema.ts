import type { Generated, Selectable } from 'kysely'

interface RolesTable {
  id: Generated<number>
  name: string
  name_key: string
  /** JSON array of rights. */
  rights: string
  audit_scope: string
  folder_scope: string
  /** 1: its administrators sign in with a second factor. */
  second_factor: Generated<number>
  revision: number
  created_at: number
  updated_at: number
}

/** Administrators by role. The super administrator has no row. */
interface AdministratorsTable {
  user_id: string
  role_id: number
  /** Account of whoever made it an administrator. */
  created_by: string
  revision: number
  created_at: number
  updated_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly roles: RolesTable
    readonly administrators: AdministratorsTable
  }
}

export type RoleRow = Selectable<RolesTable>
export type AdministratorRow = Selectable<AdministratorsTable>
