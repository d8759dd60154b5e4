import { MAIL_LANGUAGE, type CreateLinkInput } from '@godwit/contract'
import { ACCOUNT_WAYS } from '../../content/spaces/index.ts'
import { type DrawnMail, hasSender, SYSTEM, type MailSystem } from '../../foundation/mail/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import { addressHash, keepRecipients, personalToken, recipientsOf } from './link-recipients.ts'
import { recipientsStore } from './link-recipients.store.ts'
import { requireOwn } from './links.changes.ts'
import type { LinksDeps } from './links.deps.ts'
import { labelOf } from './links.names.ts'
import type { LinkRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'

/** Mails to one recipient are at least this far apart, but for one that was refused. */
const AGAIN_MS = 60_000

/** Where the link of a preview leads. */
const SAMPLE_PATH = `/share/${'0'.repeat(32)}`

type PreviewedMail = Pick<CreateLinkInput, 'shareUrlType' | 'shareEmailContent' | 'emailLanguage'> & {
  readonly name: string
}

interface LinkMail {
  readonly row: LinkRow
  readonly to: readonly string[]
  /** They were mailed to before. */
  readonly isReminder?: boolean
}

/**
 * Mails the address of a link, which is built from the configured address of the installation. Each recipient's tells in its
 * fragment whose it is; the password stays out.
 */
export async function mailLink(
  deps: Pick<LinksDeps, 'vault' | 'clock'> & { readonly mail: Pick<MailSystem, 'mailer' | 'senders'> },
  tx: Tx,
  { row, to, isReminder = false }: LinkMail,
): Promise<void> {
  if (to.length === 0) return
  const owner = await usersStore.byId(tx, row.owner_id)
  const { senders, mailer } = deps.mail
  const ownerId = (await hasSender({ ...senders, db: tx }, row.owner_id)) ? row.owner_id : SYSTEM
  const about = contentOf({ urlType: row.url_type, language: row.mail_language, isReminder })
  const values = { account: owner?.account ?? '', name: oneLine(row.label), text: row.mail_text ?? '' }
  for (const address of to) {
    const hash = addressHash(address)
    const path = `/share/${row.id}#to=${personalToken(deps, row.id, hash)}`
    const mail = { ...about, values, to: address, ownerId, path, isFollowed: true } as const
    const sent = { mail_job: await mailer.send(mail, tx), mail_state: 'waiting', mail_answer: '' } as const
    await recipientsStore.change(tx, { link_id: row.id, address_hash: hash }, { ...sent, mailed_at: deps.clock.now() })
  }
}

/** The mail that {@link mailLink} would send of a link that need not exist. */
export async function previewLinkMail(deps: LinksDeps, ctx: UserCtx, wanted: PreviewedMail): Promise<DrawnMail> {
  const owner = await usersStore.byId(deps.db, ctx.principal.id)
  const { shareUrlType, name, shareEmailContent: text, emailLanguage } = wanted
  const about = contentOf({ urlType: shareUrlType, language: emailLanguage, isReminder: false })
  const values = { account: owner?.account ?? '', name: oneLine(labelOf(name || '/')), text }
  return deps.mail.mailer.draw({ ...about, values, path: SAMPLE_PATH })
}

function contentOf({
  urlType,
  language,
  isReminder,
}: Record<'urlType' | 'language', number> & Pick<LinkMail, 'isReminder'>) {
  const about = urlType === 0 ? 'invite' : 'share'
  const template = `${about}-${isReminder === true ? 'reminder' : 'link'}` as const
  return { template, locale: language === MAIL_LANGUAGE['en-US'] ? 'en-US' : 'zh-CN' } as const
}

/**
 * Mails a link once more to one of its recipients.
 * @throws AppError LINK_NOT_FOUND, LINK_RECIPIENT_REQUIRED for anybody else, SHARE_MAIL_SENDER_MISSING, RATE_LIMITED
 */
export async function mailLinkAgain(
  deps: LinksDeps,
  ctx: UserCtx,
  { url, address }: Readonly<Record<'url' | 'address', string>>,
): Promise<void> {
  const [own] = await requireOwn(deps, ctx, [url])
  if (own === undefined) throw new AppError('LINK_NOT_FOUND')
  await requireServerMails(deps, ctx, own.space_id)
  await requireSender(deps, ctx)
  const hash = addressHash(address)
  const now = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const row = await linksStore.hold(tx, own.id)
    if (row === undefined) throw new AppError('LINK_NOT_FOUND')
    const known = recipientsOf(row).find((each) => addressHash(each) === hash)
    if (known === undefined) throw new AppError('LINK_RECIPIENT_REQUIRED')
    // A link of before recipients were noted has none.
    await keepRecipients(deps, tx, row)
    const key = { link_id: row.id, address_hash: hash }
    if (!(await recipientsStore.takeMail(tx, key, { before: now - AGAIN_MS, now })))
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: AGAIN_MS / 1000 })
    await mailLink(deps, tx, { row, to: [known] })
  })
}

/** @throws AppError SHARE_MAIL_SENDER_MISSING when neither the account nor the system can send mail */
export async function requireSender(
  { mail: { senders } }: { readonly mail: Pick<MailSystem, 'senders'> },
  { principal }: UserCtx,
): Promise<void> {
  if (!(await hasSender(senders, SYSTEM)) && !(await hasSender(senders, principal.id)))
    throw new AppError('SHARE_MAIL_SENDER_MISSING')
}

/** @throws AppError SHARE_MAIL_BY_PERSON when the account mails its links itself */
export async function requireServerMails(
  { settings }: Pick<LinksDeps, 'settings'>,
  { principal }: UserCtx,
  spaceId: number,
): Promise<void> {
  const { linkMailMode } = await settings.of(ACCOUNT_WAYS, { userId: principal.id, spaceId })
  if (linkMailMode === 1) throw new AppError('SHARE_MAIL_BY_PERSON')
}
