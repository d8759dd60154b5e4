import type { Selectable } from 'kysely'

interface NoticesTable {
  /** Grows with time. */
  id: string
  user_id: string
  kind: string
  /** JSON: what the text of the kind is filled with, in no language. */
  facts: string
  event_key: string
  created_at: number
  /** Null until it was read. */
  read_at: number | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly notices: NoticesTable
  }
}

export type NoticeRow = Selectable<NoticesTable>
