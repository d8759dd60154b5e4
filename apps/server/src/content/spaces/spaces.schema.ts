import type { Selectable } from 'kysely'

interface SpacesTable {
  /** The first space is 1; its name is the page's. */
  id: number
  name: string
  /** Case-folded name: spaces that differ only in case are one. */
  name_key: string
  created_at: number
  /** Counts edits, from 1. */
  revision: number
  /** A space that is gone keeps its row, because ids are never given again. */
  removed_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly spaces: SpacesTable
  }
}

export type SpaceRow = Selectable<SpacesTable>
