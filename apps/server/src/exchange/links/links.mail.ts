import { MAIL_LANGUAGE } from '@godwit/contract'
import { hasSender, SYSTEM, type MailSystem } from '../../foundation/mail/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import type { LinkRow } from './links.schema.ts'

export interface LinkMail {
  readonly row: LinkRow
  readonly to: readonly string[]
  /** `MAIL_LANGUAGE` */
  readonly language: number
  /** What the owner writes to them. */
  readonly text: string
}

/** Mails the address of a link, which is built from the configured address of the installation. The password stays out. */
export async function mailLink(
  deps: { readonly mail: Pick<MailSystem, 'mailer' | 'senders'> },
  tx: Tx,
  { row, to, language, text }: LinkMail,
): Promise<void> {
  if (to.length === 0) return
  const owner = await usersStore.byId(tx, row.owner_id)
  const { senders, mailer } = deps.mail
  const ownerId = (await hasSender({ ...senders, db: tx }, row.owner_id)) ? row.owner_id : SYSTEM
  const locale = language === MAIL_LANGUAGE['en-US'] ? 'en-US' : 'zh-CN'
  const template = row.url_type === 0 ? 'invite-link' : 'share-link'
  const values = { account: owner?.account ?? '', name: oneLine(row.label), text: text.trim() }
  for (const address of to)
    await mailer.send({ template, locale, values, to: address, ownerId, path: `/share/${row.id}` }, tx)
}
