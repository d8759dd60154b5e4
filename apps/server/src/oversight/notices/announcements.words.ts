import type { Locale } from '@godwit/i18n'
import type { AnnouncementRow } from './announcements.schema.ts'

/** The words for a reader: in their language where it is written in it, else in the other one. */
export function wordsFor(row: AnnouncementRow, locale: Locale): { readonly title: string; readonly content: string } {
  const english = { title: row.title_en, content: row.text_en }
  const chinese = { title: row.title_zh, content: row.text_zh }
  const [own, other] = locale === 'zh-CN' ? [chinese, english] : [english, chinese]
  return own.title === '' ? other : own
}
