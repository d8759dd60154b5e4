import type { Generated, Selectable } from 'kysely'

interface StoragesTable {
  /** Never given again. */
  id: Generated<number>
  name: string
  /** Case-folded name: storages that differ only in case are one. */
  name_key: string
  kind: string
  /** What the kind needs to open it, as JSON. */
  settings: string
  /** '' for a kind without a secret. */
  sealed_secret: string
  /** Counts edits, from 1. */
  revision: number
  created_at: number
  /** When this installation put its mark there; null: not yet. */
  marked_at: number | null
  /** Last look that changed `error`, or at most ten minutes older than the last look. */
  checked_at: number | null
  /** Name of the error of that look; '' when all was well. */
  error: string
}

interface SpaceStoragesTable {
  space_id: number
  storage_id: number
  /** New places of the space are made there; one a space. */
  is_default: number
}

/** Where the files of an account or a group in a space are kept, from its first use on. */
interface PlacesTable {
  /** The account; '' for the place of a group. */
  owner_id: string
  space_id: number
  group_id: number
  storage_id: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly storages: StoragesTable
    readonly space_storages: SpaceStoragesTable
    readonly places: PlacesTable
  }
}

export type StorageRow = Selectable<StoragesTable>
export type PlaceRow = Selectable<PlacesTable>
