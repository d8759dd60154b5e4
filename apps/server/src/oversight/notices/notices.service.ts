import type { Clock } from '@godwit/base'
import { NOTICE_PAGES, type Notice } from '@godwit/contract'
import type { Locale } from '@godwit/i18n'
import { isNoticeKind, noticeTexts, type NoticeFacts, type NoticeKind } from '@godwit/i18n/notice-texts'
import type { Mailer } from '../../foundation/mail/index.ts'
import { isUsable, localeOf, preferencesStore, usersStore } from '../../identity/users/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import { ANNOUNCEMENT_KIND } from './announcements.kind.ts'
import type { AnnouncementRow } from './announcements.schema.ts'
import { announcementsStore } from './announcements.store.ts'
import { wordsFor } from './announcements.words.ts'
import type { NoticeRow } from './notices.schema.ts'
import { noticesStore } from './notices.store.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** An account has another number of unread notices. */
    readonly 'notice.changed': { readonly userId: string; readonly unread: number }
  }
}

export interface NoticesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly bus: Bus
  readonly mailer: Mailer
  /** Whether the site wants notices of a kind. Default: all. */
  readonly isOn?: (kind: NoticeKind) => Promise<boolean>
}

export interface NewNotice<Kind extends NoticeKind> {
  readonly userId: string
  readonly kind: Kind
  readonly facts: NoticeFacts[Kind]
  /** Names the event: reported again, it makes no second notice. At most 160 characters. */
  readonly eventKey: string
}

export interface NoticePage {
  readonly notic_list: Notice[]
  readonly total: number
  readonly size: number
  readonly current: number
  readonly unread: number
}

export interface Notices {
  /**
   * Adds a notice, with a copy by e-mail for those who want one; both or neither. Accounts that are gone get none, and a kind
   * that is switched off goes to nobody.
   */
  notify<Kind extends NoticeKind>(notice: NewNotice<Kind>): Promise<void>
  /** @param page from 1 */
  list(reader: { readonly userId: string; readonly locale: Locale }, page: Paging): Promise<NoticePage>
  /** @returns how many are unread now. @throws AppError NOTICE_NOT_FOUND, and then none was marked */
  markRead(userId: string, ids: readonly string[]): Promise<number>
  unread(userId: string): Promise<number>
  /** Forgets read notices after 90 days and all after a year. */
  purge(): Promise<void>
}

export interface Paging {
  readonly pageNum: number
  readonly pageSize: number
}

const DAY_MS = 24 * 3_600_000
const READ_KEPT_MS = 90 * DAY_MS
const KEPT_MS = 365 * DAY_MS

export function createNotices(deps: NoticesDeps): Notices {
  const { db, clock } = deps
  const publish = (userId: string): Promise<number> => publishUnread(deps, userId)
  return {
    async notify(notice) {
      if ((await deps.isOn?.(notice.kind)) === false) return
      if (await recordOnce(deps, notice)) await publish(notice.userId)
    },
    async list({ userId, locale }, { pageNum, pageSize }) {
      const rows = await noticesStore.page(db, userId, { offset: (pageNum - 1) * pageSize, limit: pageSize })
      return {
        notic_list: await presentAll(db, rows, locale),
        total: await noticesStore.count(db, userId),
        size: pageSize,
        current: pageNum,
        unread: await noticesStore.countUnread(db, userId),
      }
    },
    async markRead(userId, ids) {
      const wanted = [...new Set(ids)]
      if ((await noticesStore.countOwn(db, userId, wanted)) !== wanted.length) throw new AppError('NOTICE_NOT_FOUND')
      await inTransaction(db, (tx) => markOwnRead(tx, userId, { ids: wanted, at: clock.now() }))
      return publish(userId)
    },
    unread: (userId) => noticesStore.countUnread(db, userId),
    async purge() {
      await noticesStore.purge(db, { readBefore: clock.now() - READ_KEPT_MS, before: clock.now() - KEPT_MS })
      await announcementsStore.purge(db, clock.now() - KEPT_MS)
    },
  }
}

/** Lets the open pages of an account show how many notices are unread. @returns how many */
export async function publishUnread({ db, bus }: Pick<NoticesDeps, 'db' | 'bus'>, userId: string): Promise<number> {
  const unread = await noticesStore.countUnread(db, userId)
  bus.publish('notice.changed', { userId, unread })
  return unread
}

/** @returns false when it is there already, or its account is gone */
async function recordOnce<Kind extends NoticeKind>(deps: NoticesDeps, notice: NewNotice<Kind>): Promise<boolean> {
  const { userId, kind, facts, eventKey } = notice
  try {
    return await inTransaction(deps.db, async (tx) => {
      if ((await usersStore.byId(tx, userId)) === undefined) return false
      await noticesStore.insert(tx, {
        id: deps.ids.next(),
        user_id: userId,
        kind,
        facts: JSON.stringify(facts),
        event_key: eventKey,
        created_at: deps.clock.now(),
        read_at: null,
      })
      await mailCopy(deps, tx, notice)
      return true
    })
  } catch (thrown) {
    if (isDuplicate(thrown)) return false
    throw thrown
  }
}

/** A mail about a mail that failed would begin a circle. */
async function mailCopy<Kind extends NoticeKind>(deps: NoticesDeps, tx: Tx, notice: NewNotice<Kind>): Promise<void> {
  if (notice.kind === 'mail-failed') return
  const preferences = await preferencesStore.of(tx, notice.userId)
  const user = await usersStore.byId(tx, notice.userId)
  if (preferences.notice_mail !== 1 || user === undefined || user.email === '') return
  // Whoever may not come in is not told by mail what goes on inside.
  if (!isUsable(user, deps.clock.now())) return
  if (!(await deps.mailer.isConfigured(tx))) return
  const locale = localeOf(preferences)
  const { title, content } = noticeTexts(locale, notice.kind, notice.facts)
  await deps.mailer.send(
    { to: user.email, template: 'notice', locale, values: { title, content }, path: '/notification' },
    tx,
  )
}

async function presentAll(db: Db, rows: readonly NoticeRow[], locale: Locale): Promise<Notice[]> {
  const written = rows.filter(({ kind }) => kind === ANNOUNCEMENT_KIND).map(announcementOf)
  const known = await announcementsStore.byIds(db, [...new Set(written)])
  const announcements = new Map(known.map((row) => [row.id, row]))
  return rows.map((row) => present(row, locale, announcements))
}

function present(row: NoticeRow, locale: Locale, announcements: ReadonlyMap<string, AnnouncementRow>): Notice {
  const announcement = row.kind === ANNOUNCEMENT_KIND ? announcements.get(announcementOf(row)) : undefined
  const texts = announcement === undefined ? systemTexts(row, locale) : wordsFor(announcement, locale)
  const state = { create_time: row.created_at, isShowed: row.read_at === null ? 0 : 1 }
  const page = NOTICE_PAGES[row.kind] ?? ''
  return { id: row.id, ...texts, ...state, page, isWritten: announcement !== undefined }
}

function systemTexts({ kind, facts }: NoticeRow, locale: Locale) {
  if (!isNoticeKind(kind)) return { title: kind, content: '' }
  return noticeTexts(locale, kind, JSON.parse(facts) as Readonly<Record<string, string | number>>)
}

function announcementOf({ facts }: NoticeRow): string {
  return (JSON.parse(facts) as { readonly announcement: string }).announcement
}

/** Marks them, and counts readers of what administrators wrote: each notice once, however often it is marked. */
async function markOwnRead(tx: Tx, userId: string, { ids, at }: { ids: readonly string[]; at: number }): Promise<void> {
  const written = await noticesStore.unreadOfKind(tx, userId, { ids, kind: ANNOUNCEMENT_KIND })
  for (const [id, rows] of Map.groupBy(written, announcementOf)) {
    const read = await noticesStore.markRead(tx, userId, { ids: rows.map((row) => row.id), at })
    if (read > 0) await announcementsStore.addReads(tx, id, read)
  }
  await noticesStore.markRead(tx, userId, { ids, at })
}
