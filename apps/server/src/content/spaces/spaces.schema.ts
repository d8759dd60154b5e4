import type { Selectable } from 'kysely'

interface SpacesTable {
  /** From 2 on: the first space has no row. */
  id: number
  name: string
  /** Case-folded name: spaces that differ only in case are one. */
  name_key: string
  created_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly spaces: SpacesTable
  }
}

export type SpaceRow = Selectable<SpacesTable>
