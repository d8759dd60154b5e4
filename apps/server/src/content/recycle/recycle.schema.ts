import type { Selectable } from 'kysely'

interface RecycleItemsTable {
  /** Grows with time: newest first is descending by id. */
  id: string
  owner_id: string
  space_id: number
  group_id: number
  /** Where it was, as the user saw it. */
  path: string
  /** Where it is now, inside the store. */
  storage_key: string
  is_folder: number
  size: number
  deleted_at: number
  /** 1 from the moment when it is being deleted for good: parts of it may be gone, so it never comes back. */
  purging: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly recycle_items: RecycleItemsTable
  }
}

export type RecycleRow = Selectable<RecycleItemsTable>
