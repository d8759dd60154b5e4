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
  /** Files of the last round that were in use, or could not be moved. */
  skipped: number
  /** Since when a round is wanted before its day; null: none is. */
  asked_at: number | null
  /** Since when a round is under way, also when it was broken off; null: none is. */
  began_at: number | null
}

/** What the round that is under way has moved, by whose bin has it. */
interface CleaningMovedTable {
  storage_id: number
  user_id: string
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
    readonly cleaning_moved: CleaningMovedTable
    readonly file_accesses: FileAccessesTable
  }
}

export type CleaningRow = Selectable<StorageCleaningTable>
export type AccessRow = Selectable<FileAccessesTable>
export type MovedRow = Selectable<CleaningMovedTable>
