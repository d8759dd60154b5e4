import type { Selectable } from 'kysely'

interface PlaceMovesTable {
  /** The account; '' for the library of a group. */
  owner_id: string
  space_id: number
  group_id: number
  from_storage: number
  to_storage: number
  /** Passes begun. */
  round: number
  /** Unix milliseconds, as `switched_at`. */
  started_at: number
  /** Null until the place is on its new storage; from then on the copies name what is left on the old one. */
  switched_at: number | null
}

/** What stands on both storages: one row for each file and folder. */
interface PlaceCopiesTable {
  owner_id: string
  space_id: number
  group_id: number
  /** SHA-256 of the storage key, which is the same on both and too long for a primary key. */
  key_hash: string
  storage_key: string
  is_folder: number
  /** The tags of the two storages. An empty `to_etag`: the copy was begun, and what is there may be anything. */
  from_etag: string
  to_etag: string
  size: number
  /** The last pass that saw it on the old storage. */
  round: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly place_moves: PlaceMovesTable
    readonly place_copies: PlaceCopiesTable
  }
}

export type PlaceMoveRow = Selectable<PlaceMovesTable>
export type PlaceCopyRow = Selectable<PlaceCopiesTable>
