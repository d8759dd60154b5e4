interface PreviewViewsTable {
  /** Grows with time. */
  id: string
  /** '' for guests. */
  user_id: string
  /** '' for accounts. */
  visit_id: string
  viewer: string
  /** What the link of a guest was called. */
  link: string
  space_id: number
  group_id: number
  path: string
  address: string
  /** Path, viewer and link with folded case, for the search. */
  search_text: string
  started_at: number
  /** The last sign of the viewer. */
  seen_at: number
  is_over: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly preview_views: PreviewViewsTable
  }
}

export type { PreviewViewsTable }
