import type { Selectable } from 'kysely'

/** Storages whose old files go to the recycle bin by themselves. */
interface StorageCleaningTable {
  storage_id: number
  /** `modified`, or `access`: the last download or preview counts as well. */
  basis: string
  days: number
  /** Unix milliseconds; where nobody has opened a file since, it counts as opened then. */
  since: number
  /** Of the last round; null before the first. */
  ran_at: number | null
  files: number
  bytes: number
}

/** When something was last opened, or came to be where it is. A folder stands for all below it. */
interface FileAccessesTable {
  /** The account; '' for the library of a group and for a virtual directory. */
  owner_id: string
  space_id: number
  group_id: number
  /** SHA-256 of the path. */
  path_hash: string
  at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly storage_cleaning: StorageCleaningTable
    readonly file_accesses: FileAccessesTable
  }
}

export type CleaningRow = Selectable<StorageCleaningTable>
export type AccessRow = Selectable<FileAccessesTable>
