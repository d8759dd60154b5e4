import type { AnnouncementState } from '@godwit/contract'
import type { Selectable } from 'kysely'

interface AnnouncementsTable {
  /** Grows with time. */
  id: string
  state: AnnouncementState
  /** '' in a language that it is not written in. */
  title_en: string
  text_en: string
  title_zh: string
  text_zh: string
  /** NOTICE_CHANNELS, apart by commas. */
  channels: string
  /** JSON. */
  audience: string
  /** Account that wrote it. */
  author: string
  created_at: number
  send_at: number
  finished_at: number | null
  /** Id of the last account that was reached; accounts are reached in the order of their ids. */
  position: string
  reached: number
  mailed: number
  read_count: number
  revision: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly announcements: AnnouncementsTable
  }
}

export type AnnouncementRow = Selectable<AnnouncementsTable>
