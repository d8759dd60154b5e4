import {
  ANNOUNCEMENT_LIMITS,
  NOTICE_CHANNELS,
  type Announcement,
  type AnnouncementDetail,
  type Audience,
  type WantedAnnouncement,
} from '@godwit/contract'
import { editConflict, type ChangedThing } from '../../foundation/operation-log/index.ts'
import { departmentsStore, lineOf } from '../../identity/departments/index.ts'
import { groupsSearch } from '../../identity/groups/index.ts'
import { foldCase, usersSearch } from '../../identity/users/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import { ANNOUNCE_JOB } from './announcements.kind.ts'
import type { AnnouncementRow } from './announcements.schema.ts'
import { announcementsStore, type WholeAudience } from './announcements.store.ts'
import type { NoticesDeps } from './notices.service.ts'

export interface AnnouncementsDeps extends NoticesDeps {
  readonly queue: Pick<Queue, 'add'>
}

/** Commits with the change. */
type Record = (tx: Tx, thing: ChangedThing) => Promise<void>

/**
 * Plans a notice, or begins to send it when it is due.
 * @returns its id
 * @throws AppError VALUE_REQUIRED, PARAMETER_INVALID, SYSTEM_MAIL_NOT_CONFIGURED
 */
export async function sendAnnouncement(
  deps: AnnouncementsDeps,
  { wanted, author }: { readonly wanted: WantedAnnouncement; readonly author: string },
  record: Record,
): Promise<string> {
  const { db, ids, clock } = deps
  await requireWhole(deps, wanted)
  const now = clock.now()
  const row: AnnouncementRow = {
    ...{ id: ids.next(), state: 'planned', author, created_at: now, finished_at: null },
    ...{ position: '', reached: 0, mailed: 0, read_count: 0, revision: 1 },
    ...columnsOf(wanted, now),
  }
  await inTransaction(db, async (tx) => {
    await announcementsStore.insert(tx, row)
    if (row.send_at <= now) await begin(deps, tx, row.id)
    await record(tx, thingOf(row, undefined, row))
  })
  return row.id
}

/** @throws AppError NOTICE_NOT_FOUND, NOTICE_ALREADY_SENT, EDIT_CONFLICT, and as {@link sendAnnouncement} */
export async function editAnnouncement(
  deps: AnnouncementsDeps,
  { id, wanted, revision }: { readonly id: string; readonly wanted: WantedAnnouncement; readonly revision: number },
  record: Record,
): Promise<void> {
  const { db, clock } = deps
  const before = await existing(db, id)
  if (before.state !== 'planned') throw new AppError('NOTICE_ALREADY_SENT')
  await requireWhole(deps, wanted)
  const change = columnsOf(wanted, clock.now())
  const isChanged = await inTransaction(db, async (tx) => {
    if (!(await announcementsStore.changeIn(tx, { id, states: ['planned'], revision }, change))) return false
    if (change.send_at <= clock.now()) await begin(deps, tx, id)
    await record(tx, thingOf(before, before, { ...before, ...change, revision: revision + 1 }))
    return true
  })
  if (isChanged) return
  const present = await existing(db, id)
  if (present.state !== 'planned') throw new AppError('NOTICE_ALREADY_SENT')
  throw await editConflict(db, { kind: 'notice', id }, { from: revision, present: present.revision })
}

/** @throws AppError NOTICE_NOT_FOUND, NOTICE_ALREADY_SENT */
export async function cancelAnnouncement(
  { db, clock }: Pick<AnnouncementsDeps, 'db' | 'clock'>,
  id: string,
  record: Record,
): Promise<void> {
  const before = await existing(db, id)
  await inTransaction(db, async (tx) => {
    const change = { state: 'cancelled', finished_at: clock.now() } as const
    const isCancelled = await announcementsStore.changeIn(tx, { id, states: ['planned', 'sending'] }, change)
    if (!isCancelled) throw new AppError('NOTICE_ALREADY_SENT')
    await record(tx, thingOf(before, { state: before.state }, { state: 'cancelled' }))
  })
}

/** Begins to send what is due; the nodes of an installation may all try. */
export async function beginDue(deps: Pick<AnnouncementsDeps, 'db' | 'clock' | 'queue'>): Promise<void> {
  for (const id of await announcementsStore.due(deps.db, deps.clock.now()))
    await inTransaction(deps.db, (tx) => begin(deps, tx, id))
}

async function begin({ queue }: Pick<AnnouncementsDeps, 'queue'>, tx: Tx, id: string): Promise<void> {
  if (!(await announcementsStore.changeIn(tx, { id, states: ['planned'] }, { state: 'sending' }))) return
  await queue.add({ kind: ANNOUNCE_JOB, ownerId: '', payload: { announcementId: id }, progress: { reached: 0 } }, tx)
}

export async function listAnnouncements(
  db: Db,
  { text = '', state, page, size }: ListQuery,
): Promise<{ readonly rows: Announcement[]; readonly total: number; readonly page: number; readonly size: number }> {
  const { rows, total } = await announcementsStore.page(db, { text, state }, { page, size })
  return { rows: rows.map(present), total, page, size }
}

interface ListQuery {
  readonly text?: string | undefined
  readonly state?: AnnouncementRow['state'] | undefined
  readonly page: number
  readonly size: number
}

/** @throws AppError NOTICE_NOT_FOUND */
export async function announcementDetail(db: Db, id: string): Promise<AnnouncementDetail> {
  const row = await existing(db, id)
  const { all, users, groups, departments } = audienceOf(row)
  const [accounts, groupNames, departmentNames] = [
    new Map((await usersSearch.byIds(db, users)).map((user) => [user.id, nameOfPerson(user)])),
    new Map((await groupsSearch.byIds(db, groups)).map(({ id: groupId, name }) => [groupId, name])),
    await departmentsStore.names(db, departments),
  ]
  // Who is gone is not reached, so it is not shown.
  const named = <Id>(ids: readonly Id[], names: ReadonlyMap<Id, string>) =>
    ids.flatMap((each) => (names.has(each) ? [{ id: each, name: names.get(each) ?? '' }] : []))
  return {
    ...present(row),
    ...{ textEn: row.text_en, textZh: row.text_zh },
    audience: {
      all,
      users: named(users, accounts),
      groups: named(groups, groupNames),
      departments: named(departments, departmentNames),
    },
  }
}

/** What the form suggests for a text. */
export async function findTargets(db: Db, text: string) {
  const limit = ANNOUNCEMENT_LIMITS.targetsShown
  const wanted = foldCase(text)
  const people = await usersSearch.all(db, { text }, { seenSince: 0, limit })
  const place = { text: wanted, page: 1, size: limit, sort: 'name', order: 'asc' } as const
  const departments = (await departmentsStore.all(db)).filter(({ name_key: key }) => key.includes(wanted))
  return {
    users: people.map((user) => ({ id: user.id, name: nameOfPerson(user) })),
    groups: (await groupsSearch.page(db, place)).rows.map(({ id, name }) => ({ id, name })),
    departments: departments.slice(0, limit).map(({ id, name }) => ({ id, name })),
  }
}

export async function reachOf({ db, clock }: Pick<AnnouncementsDeps, 'db' | 'clock'>, audience: Audience) {
  return announcementsStore.reach(db, await wholeAudience(db, audience), clock.now())
}

/** Departments stand for all below them. */
export async function wholeAudience(db: Db | Tx, audience: Audience): Promise<WholeAudience> {
  if (audience.all || audience.departments.length === 0) return audience
  const branches = await departmentsStore.parents(db)
  const within = branches.filter(({ id }) => lineOf(branches, id).some((each) => audience.departments.includes(each)))
  return { ...audience, departments: within.map(({ id }) => id) }
}

export function audienceOf({ audience }: Pick<AnnouncementRow, 'audience'>): Audience {
  return JSON.parse(audience) as Audience
}

/** @throws AppError VALUE_REQUIRED, PARAMETER_INVALID, SYSTEM_MAIL_NOT_CONFIGURED */
async function requireWhole(deps: AnnouncementsDeps, wanted: WantedAnnouncement): Promise<void> {
  const { titleEn, textEn, titleZh, textZh, channels, audience } = wanted
  const isWritten = [titleEn, textEn, titleZh, textZh].some((each) => each !== '')
  for (const [field, own, other] of [
    ['titleEn', titleEn, textEn],
    ['textEn', textEn, titleEn],
    ['titleZh', titleZh, textZh],
    ['textZh', textZh, titleZh],
  ] as const)
    if (own === '' && (other !== '' || !isWritten)) throw new AppError('VALUE_REQUIRED', { field })
  if (channels.length === 0) throw new AppError('VALUE_REQUIRED', { field: 'channels' })
  if (channels.includes('email') && !(await deps.mailer.isConfigured()))
    throw new AppError('SYSTEM_MAIL_NOT_CONFIGURED')
  const { all, users, groups, departments } = audience
  if (!all && users.length + groups.length + departments.length === 0)
    throw new AppError('VALUE_REQUIRED', { field: 'audience' })
  if ((await reachOf(deps, audience)).people === 0) throw new AppError('PARAMETER_INVALID', { field: 'audience' })
}

/** @throws AppError NOTICE_NOT_FOUND */
async function existing(db: Db, id: string): Promise<AnnouncementRow> {
  const row = await announcementsStore.byId(db, id)
  if (row === undefined) throw new AppError('NOTICE_NOT_FOUND')
  return row
}

function columnsOf(wanted: WantedAnnouncement, now: number) {
  return {
    ...{ title_en: wanted.titleEn, text_en: wanted.textEn, title_zh: wanted.titleZh, text_zh: wanted.textZh },
    channels: NOTICE_CHANNELS.filter((channel) => wanted.channels.includes(channel)).join(','),
    audience: JSON.stringify(wanted.audience),
    send_at: Math.max(wanted.sendAt, now),
  }
}

function present(row: AnnouncementRow): Announcement {
  return {
    ...{ id: row.id, state: row.state, titleEn: row.title_en, titleZh: row.title_zh, author: row.author },
    channels: NOTICE_CHANNELS.filter((channel) => row.channels.split(',').includes(channel)),
    ...{ createdAt: Number(row.created_at), sendAt: Number(row.send_at) },
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
    ...{ reached: row.reached, mailed: row.mailed, read: row.read_count, revision: row.revision },
  }
}

function thingOf(row: AnnouncementRow, before: object | undefined, after: object): ChangedThing {
  return { kind: 'notice', id: row.id, name: row.title_en || row.title_zh, before, after }
}

function nameOfPerson({ account, name }: { readonly account: string; readonly name: string }): string {
  return name === '' || name === account ? account : `${name} (${account})`
}
