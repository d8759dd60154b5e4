import { isEmail, type SentCode } from '@godwit/contract'
import { hasSender, SYSTEM } from '../../foundation/mail/index.ts'
import { maskedEmail, sendCode, sourceOf, takeCode, type CodesDeps } from '../../identity/auth/index.ts'
import { localeByWire, usersStore } from '../../identity/users/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import { countGuess } from './link-guesses.ts'
import { addressHash } from './link-recipients.ts'
import { recipientsStore } from './link-recipients.store.ts'
import type { LinksDeps } from './links.deps.ts'
import type { Link, LinkRecipientRow } from './links.schema.ts'

/** Who comes: by the token of the address that was mailed to them, or the e-mail address that they type. */
export interface Person {
  readonly to?: string | undefined
  readonly address?: string | undefined
}

const HOUR_MS = 3_600_000
/** Codes of one link. Whoever asks, and about whom, so that the limit shows nobody who is a recipient. */
const OF_LINK = { attempts: 1_000, windowMs: HOUR_MS }
/** Of one guest at one link. */
const OF_GUEST = { attempts: 30, windowMs: HOUR_MS }

interface Named {
  /** What the codes of this person are kept under; the same for those whom nobody knows. */
  readonly hash: string
  readonly recipient: LinkRecipientRow | undefined
}

/** The recipient that somebody says to be; a typed address goes before that of the mail. */
export async function recipientOf({ db }: Pick<LinksDeps, 'db'>, row: Link, { to, address }: Person): Promise<Named> {
  if (address !== undefined && address.trim() !== '') {
    const hash = addressHash(address)
    return { hash, recipient: await recipientsStore.byAddress(db, { link_id: row.id, address_hash: hash }) }
  }
  const tokenHash = hashToken(to ?? '')
  const recipient = await recipientsStore.byToken(db, row.id, tokenHash)
  return { hash: recipient?.address_hash ?? tokenHash, recipient }
}

/** `m…@example.org` of the personal address that somebody came by; '' for any other. */
export async function maskedRecipient(deps: LinksDeps, row: Link, person: Person | undefined): Promise<string> {
  if (person?.to === undefined) return ''
  return maskedEmail((await recipientOf(deps, row, { to: person.to })).recipient?.address ?? '')
}

/**
 * Mails a code to a recipient of the link. Whoever is none gets the same answer after the same work, and no mail.
 * @throws AppError EMAIL_INVALID, RATE_LIMITED, PARAMETER_INVALID for a link that asks for none
 */
export async function sendLinkCode(
  deps: LinksDeps,
  ctx: Pick<Ctx, 'address'>,
  { row, person, language }: { readonly row: Link; readonly person: Person; readonly language: number },
): Promise<SentCode> {
  if (row.need_email === 0) throw new AppError('PARAMETER_INVALID', { field: 'url' })
  const { to, address } = person
  if (to === undefined && !isEmail(address?.trim() ?? '')) throw new AppError('EMAIL_INVALID', { field: 'address' })
  const { hash, recipient } = await recipientOf(deps, row, person)
  const owner = await usersStore.byId(deps.db, row.owner_id)
  const ownerId = (await hasSender(deps.mail.senders, row.owner_id)) ? row.owner_id : SYSTEM
  const values = { account: owner?.account ?? '', name: oneLine(row.label) }
  return sendCode(codesOf(deps), ctx, {
    purpose: 'link',
    key: keyOf(row, hash),
    holder: recipient && { id: hash.slice(0, 32), email: recipient.address },
    mail: { template: 'link-code', locale: localeByWire(language), values, ownerId },
    limits: [
      { subject: `codes-link:${row.id}`, rule: OF_LINK },
      { subject: `codes-link:${row.id}:${sourceOf(ctx.address)}`, rule: OF_GUEST },
    ],
  })
}

/**
 * Takes the code that was mailed to a recipient, once. A guess counts before it is tried: at the link and for the address
 * guessed from, as for passwords, and for the recipient whoever guesses.
 * @throws AppError EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED, RATE_LIMITED
 */
export async function proveRecipient(
  deps: LinksDeps,
  caller: Pick<Ctx, 'address'>,
  { row, person, code }: { readonly row: Link; readonly person: Person; readonly code: string },
): Promise<LinkRecipientRow> {
  const { hash, recipient } = await recipientOf(deps, row, person)
  const takeBack = await countGuess(deps, row.id, caller.address, `link-code:${row.id}:${hash}`)
  await takeCode(codesOf(deps), 'link', { key: keyOf(row, hash), code })
  await takeBack()
  // Taken off the list since the code was sent.
  if (recipient === undefined) throw new AppError('EMAIL_CODE_EXPIRED')
  return recipient
}

function codesOf({ mail, ...deps }: LinksDeps): CodesDeps {
  return { ...deps, mailer: mail.mailer }
}

/** The code of one link opens no other. */
function keyOf({ id }: Link, hash: string): string {
  return `${id}:${hash}`
}
