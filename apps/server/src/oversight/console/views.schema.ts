import type { Selectable } from 'kysely'

interface ConsoleViewsTable {
  /** Grows with time. */
  id: string
  user_id: string
  /** Name of the list. */
  list: string
  name: string
  /** Two names that differ in case alone are one. */
  name_key: string
  /** JSON: filter, order and columns as the address of the list has them. */
  search: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly console_views: ConsoleViewsTable
  }
}

export type ConsoleViewRow = Selectable<ConsoleViewsTable>
