import type { DepartmentSource } from '@godwit/contract'
import type { Generated, Selectable } from 'kysely'

interface DepartmentsTable {
  id: Generated<number>
  /** 0: at the root. */
  parent_id: number
  name: string
  /** Case-folded name: departments of one parent that differ only in case are one. */
  name_key: string
  source: DepartmentSource
  revision: number
  created_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly departments: DepartmentsTable
  }
}

export type DepartmentRow = Selectable<DepartmentsTable>
