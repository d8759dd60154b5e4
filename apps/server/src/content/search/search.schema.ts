import type { Generated, Selectable } from 'kysely'

/** One place: the personal files of an account in a space, or the library of a group. */
interface SearchRootsTable {
  id: Generated<number>
  /** The account; '' for a group. */
  owner_id: string
  space_id: number
  group_id: number
  /** Number of the next entry. Numbers are never used again, so one less is the count of entries ever seen. */
  next_n: number
  /** Folders of an earlier round are still to be read. */
  scan_round: number
  /** 1: folders are to be read, or deleted ones to be cleared away. */
  needs_work: number
  /** Unix milliseconds: not before, after a storage failed. */
  retry_at: number
  /** Unix milliseconds of the last complete scan; null before the first. */
  scanned_at: number | null
}

/** Folders alone, to find the way from an entry up to its root. Number 0 is the root itself. */
interface SearchFoldersTable {
  root_id: number
  n: number
  /** {@link CLEARED} when it was deleted and what was below it is still to be cleared away. */
  parent_n: number
  name: string
  /** The name on the storage where that is not NFC, else ''. */
  disk_name: string
  /** Grows with each change of its entries, so that a listing read before the change is not applied after it. */
  version: number
  /** The round in which it was last read; 0 when it never was. */
  scan_round: number
}

interface SearchEntriesTable {
  root_id: number
  /** `n` divided by the size of a block. */
  block: number
  n: number
  parent_n: number
  name: string
  /** The folded name, in which texts are found. */
  name_key: string
  /** What follows the last dot, folded; '' for folders. */
  ending: string
  is_folder: number
  size: number
  modified_ms: number
}

/** Which blocks have a name with these three characters, or fewer at its end. May name blocks that no longer do. */
interface SearchGramsTable {
  root_id: number
  gram: string
  block: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly search_roots: SearchRootsTable
    readonly search_folders: SearchFoldersTable
    readonly search_entries: SearchEntriesTable
    readonly search_grams: SearchGramsTable
  }
}

export type SearchRootRow = Selectable<SearchRootsTable>
export type SearchFolderRow = Selectable<SearchFoldersTable>
export type SearchEntryRow = Selectable<SearchEntriesTable>

/** Number of the folder that is the root of a place. */
export const ROOT = 0
/** Parent of the root. */
export const NOWHERE = -1
/** Parent of folders that were deleted. */
export const CLEARED = -2
/** Round of folders that are never to be read again. */
export const NEVER_AGAIN = 2_147_483_647

/** All of them can be rebuilt from the storages, so copies of the database need none of them. */
export const SEARCH_TABLES: readonly string[] = ['search_roots', 'search_folders', 'search_entries', 'search_grams']
