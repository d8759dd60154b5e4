interface FavoritesTable {
  /** Grows with time. */
  id: string
  user_id: string
  path: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly favorites: FavoritesTable
  }
}

export type { FavoritesTable }
