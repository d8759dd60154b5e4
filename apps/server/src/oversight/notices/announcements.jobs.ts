import { LIMITS } from '@godwit/contract'
import { BULK_MAIL_JOB } from '../../foundation/mail/index.ts'
import { localeOf, usersSearch } from '../../identity/users/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { countOpenJobs, TryLater, type JobHandlers } from '../../kernel/queue/index.ts'
import { ANNOUNCE_JOB, ANNOUNCEMENT_KIND } from './announcements.kind.ts'
import type { AnnouncementRow } from './announcements.schema.ts'
import { audienceOf, wholeAudience, type AnnouncementsDeps } from './announcements.service.ts'
import { announcementsStore, type Recipient } from './announcements.store.ts'
import { wordsFor } from './announcements.words.ts'
import { publishUnread } from './notices.service.ts'
import { noticesStore } from './notices.store.ts'

/** People of one transaction. */
const BATCH = 200
/** Mails that may wait. More are written only when these are gone, so that the queue stays short whatever the audience. */
const MAILS_WAITING = 400
const LOOK_AGAIN_MS = 2_000

export function announcementJobs(deps: AnnouncementsDeps): JobHandlers {
  return {
    [ANNOUNCE_JOB]: async ({ payload: { announcementId } }, { signal, report }) => {
      for (;;) {
        signal.throwIfAborted()
        const row = await announcementsStore.byId(deps.db, announcementId)
        if (row?.state !== 'sending') return { reached: row?.reached ?? 0 }
        if (row.channels.includes('email') && (await countOpenJobs(deps.db, BULK_MAIL_JOB)) >= MAILS_WAITING)
          throw new TryLater(LOOK_AGAIN_MS)
        report({ reached: row.reached })
        await reachNext(deps, row)
      }
    },
  }
}

/** The next people have it, and the mark of how far it came, both or neither: after a kill nobody gets it twice. */
async function reachNext(deps: AnnouncementsDeps, row: AnnouncementRow): Promise<void> {
  const { db, clock } = deps
  const people = await inTransaction(db, async (tx) => {
    const audience = await wholeAudience(tx, audienceOf(row))
    const next = await announcementsStore.recipients(tx, audience, {
      after: row.position,
      limit: BATCH,
      now: clock.now(),
    })
    const last = next.at(-1)
    if (last === undefined) {
      const change = { state: 'sent', finished_at: clock.now() } as const
      await announcementsStore.changeIn(tx, { id: row.id, states: ['sending'] }, change)
      return []
    }
    const mailed = row.channels.includes('email') ? next.filter(({ email }) => email !== '') : []
    // Stopped, or another process is at it: what it wrote stands.
    const moved = { to: last.id, reached: next.length, mailed: mailed.length }
    if (!(await announcementsStore.advance(tx, row, moved))) return []
    if (row.channels.includes('website')) await addNotices(deps, tx, { row, people: next })
    for (const person of mailed) await mailTo(deps, tx, { row, person })
    return row.channels.includes('website') ? next : []
  })
  await publishToOnline(deps, people)
}

interface Sending {
  readonly row: AnnouncementRow
}

async function addNotices(
  { ids, clock }: AnnouncementsDeps,
  tx: Tx,
  { row, people }: Sending & { readonly people: readonly Recipient[] },
): Promise<void> {
  const facts = JSON.stringify({ announcement: row.id })
  await noticesStore.insertAll(
    tx,
    people.map(({ id }) => ({
      ...{ id: ids.next(), user_id: id, kind: ANNOUNCEMENT_KIND, facts },
      event_key: `announcement:${row.id}:${id}`,
      ...{ created_at: clock.now(), read_at: null },
    })),
  )
}

async function mailTo(
  { mailer }: AnnouncementsDeps,
  tx: Tx,
  { row, person }: Sending & { readonly person: Recipient },
): Promise<void> {
  const locale = localeOf({ language: person.language ?? '' })
  const path = row.channels.includes('website') ? '/notification' : ''
  await mailer.send(
    { to: person.email, template: 'notice', locale, values: wordsFor(row, locale), path, isBulk: true },
    tx,
  )
}

/** Pages that are open show the new number; all others ask for it when they open. */
async function publishToOnline(deps: AnnouncementsDeps, people: readonly Recipient[]): Promise<void> {
  const seenSince = deps.clock.now() - LIMITS.idleLogoutMs
  const ids = people.map(({ id }) => id)
  for (const userId of await usersSearch.online(deps.db, ids, seenSince)) await publishUnread(deps, userId)
}
