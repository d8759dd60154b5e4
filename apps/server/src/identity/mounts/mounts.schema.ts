import type { Generated, Selectable } from 'kysely'

/** Virtual directories: a folder of a storage under a name in a home. */
interface MountsTable {
  /** Never given again: rows of files know the mount by it, as group `-id`. */
  id: Generated<number>
  user_id: string
  space_id: number
  /** Its name in the home. */
  alias: string
  /** Case-folded alias. */
  alias_key: string
  storage_id: number
  /** Key of the folder on the storage, without slashes at its ends. */
  path: string
  /** Case-folded path. */
  path_key: string
  /** Permission bits (stored form) that nobody has more than in it. */
  permission: number
  created_at: number
  /** Unix milliseconds; null while it is in use. Later only what it left behind is known by it: its bin and its versions. */
  removed_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly mounts: MountsTable
  }
}

export type MountRow = Selectable<MountsTable>
