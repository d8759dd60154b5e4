import type { LinkReader, LinkRecipient } from '@godwit/contract'
import type { Mailer } from '../../foundation/mail/index.ts'
import { localeOf, preferencesStore, usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import { audienceStore } from './link-audience.store.ts'
import { isMissing, presentRecipients } from './link-recipients.present.ts'
import type { LinksDeps } from './links.deps.ts'
import { mailLink, requireSender, requireServerMails } from './links.mail.ts'
import { isUsable } from './links.policy.ts'
import type { Link, LinkRow } from './links.schema.ts'
import { LINK_SETTINGS } from './links.settings.ts'
import { linksStore } from './links.store.ts'

const DAY_MS = 24 * 3_600_000
/** Links of one sweep; the next one takes the rest. */
const LINKS_AT_ONCE = 100
/** People of the site that one link shows and reminds. */
const READERS_MAX = 500

export interface ReminderDeps extends Pick<LinksDeps, 'db' | 'clock' | 'outbox' | 'settings'> {
  readonly mailer: Pick<Mailer, 'isConfigured' | 'send'>
}

/**
 * Reminds owners, by a mail and `link.expiring`, of links that end within the days of the setting; once for each end, so that
 * an extended link is announced again. @returns how many owners were reminded
 */
export async function remindOwners(deps: ReminderDeps): Promise<number> {
  const { 'links.remindDays': days } = await deps.settings.of(LINK_SETTINGS)
  if (days === 0) return 0
  const now = deps.clock.now()
  const rows = await linksStore.ending(deps.db, { now, leadMs: days * DAY_MS, limit: LINKS_AT_ONCE })
  let reminded = 0
  for (const row of rows) if (await inTransaction(deps.db, (tx) => remindOwner(deps, tx, row))) reminded += 1
  if (reminded > 0) deps.outbox.nudge()
  return reminded
}

async function remindOwner({ clock, mailer, outbox }: ReminderDeps, tx: Tx, row: LinkRow): Promise<boolean> {
  // Only whoever comes first marks it.
  if (!(await linksStore.markReminded(tx, row))) return false
  const { id: linkId, owner_id: userId, label: name } = row
  const expiresAt = Number(row.expires_at)
  await outbox.add(tx, 'link.expiring', { linkId, userId, name, expiresAt, at: clock.now() })
  const owner = await usersStore.byId(tx, userId)
  if (owner === undefined || owner.email === '' || !(await mailer.isConfigured(tx))) return true
  const locale = localeOf(await preferencesStore.of(tx, owner.id))
  const time = `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const values = { account: owner.account, name: oneLine(name), time }
  const path = `${row.url_type === 0 ? '/link/invite' : '/link/share'}?extend=${linkId}`
  await mailer.send({ template: 'link-expiring', locale, values, to: owner.email, path }, tx)
  return true
}

interface Readers {
  readonly items: LinkRecipient[]
  readonly people: LinkReader[]
}

/** Whom a link is for, and how far each has come. */
export async function presentReaders({ db }: Pick<LinksDeps, 'db'>, row: LinkRow): Promise<Readers> {
  const people = row.audience === 'anyone' ? [] : await audienceStore.readers(db, row.id, READERS_MAX)
  return {
    items: await presentRecipients(db, row),
    people: people
      .filter(({ id }) => id !== row.owner_id)
      .map(({ openedAt, ...person }) => ({ ...person, openedAt: Math.floor(openedAt / 1000) })),
  }
}

/**
 * Reminds those who have still to open a link, or to take or bring everything: recipients by mail, people of the site by
 * a notice. Once a day for each link, whoever asks how often.
 * @throws AppError LINK_EXPIRED, LINK_RECIPIENT_REQUIRED when nobody is missing, SHARE_MAIL_SENDER_MISSING,
 * SHARE_MAIL_BY_PERSON, RATE_LIMITED
 */
export async function remindMissing(deps: LinksDeps, ctx: UserCtx, row: Link) {
  const now = deps.clock.now()
  if (!isUsable(row, now)) throw new AppError('LINK_EXPIRED')
  const { items, people } = await presentReaders(deps, row)
  const to = items.filter((each) => isMissing(each, row)).map(({ address }) => address)
  const userIds = people.filter(({ openedAt }) => openedAt === 0).map(({ id }) => id)
  if (to.length + userIds.length === 0) throw new AppError('LINK_RECIPIENT_REQUIRED')
  if (to.length > 0) {
    await requireServerMails(deps, ctx, row.space_id)
    await requireSender(deps, ctx)
  }
  const account = (await usersStore.byId(deps.db, row.owner_id))?.account ?? ''
  await inTransaction(deps.db, async (tx) => {
    if (!(await linksStore.takeChase(tx, row.id, { before: now - DAY_MS, now })))
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(DAY_MS / 1000) })
    await mailLink(deps, tx, { row, to, isReminder: true })
    const facts = { linkId: row.id, userId: row.owner_id, account, name: row.label, at: now }
    if (userIds.length > 0) await deps.outbox.add(tx, 'link.reminded', { ...facts, userIds })
  })
  deps.outbox.nudge()
  return { mails: to.length, notices: userIds.length }
}
