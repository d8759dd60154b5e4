import { createHash } from 'node:crypto'
import { foldCase } from '../../identity/users/index.ts'
import { isMailJob } from '../../foundation/mail/index.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import type { LinksDeps } from './links.deps.ts'
import type { LinkRecipientRow, LinkRow } from './links.schema.ts'
import { recipientsStore } from './link-recipients.store.ts'
import { visitsStore } from './visits.store.ts'

/** What an answer of a mail server is cut to. */
const ANSWER_MAX = 500

/** What an address is found by. */
export function addressHash(address: string): string {
  return createHash('sha256').update(foldCase(address.trim())).digest('hex')
}

/** The secret part of the address that is mailed to one recipient: the same in every mail to them. */
export function personalToken({ vault }: Pick<LinksDeps, 'vault'>, linkId: string, hash: string): string {
  return vault.mac('link-recipient', `${linkId}:${hash}`).slice(0, 32)
}

/** The addresses that a link is mailed to, in the order of its owner. */
export function recipientsOf({ recipients }: Pick<LinkRow, 'recipients'>): string[] {
  return JSON.parse(recipients) as string[]
}

/** Those of `addresses` that are not among `known`, whatever their case. */
export function addedTo(known: readonly string[], addresses: readonly string[]): string[] {
  const hashes = new Set(known.map(addressHash))
  return addresses.filter((address) => !hashes.has(addressHash(address)))
}

/**
 * Notes whom a link is for, within the transaction of its change. Whoever is no longer among them is out at once where only
 * recipients come in.
 */
export async function keepRecipients(deps: Pick<LinksDeps, 'vault' | 'clock'>, tx: Tx, row: LinkRow): Promise<void> {
  const addresses = recipientsOf(row)
  const known = await recipientsStore.ofLink(tx, row.id)
  const wanted = new Map(addresses.map((address) => [addressHash(address), address]))
  const gone = known.filter(({ address_hash: hash }) => !wanted.has(hash))
  for (const { address_hash: hash } of known) wanted.delete(hash)
  await recipientsStore.remove(
    tx,
    row.id,
    gone.map(({ address_hash: hash }) => hash),
  )
  await recipientsStore.insert(
    tx,
    [...wanted].map(([hash, address]): LinkRecipientRow => ({
      ...{ link_id: row.id, address_hash: hash, address, token_hash: hashToken(personalToken(deps, row.id, hash)) },
      ...{ mail_job: '', mail_state: 'none', mail_answer: '', mailed_at: 0, opened_at: 0, proven_at: 0 },
    })),
  )
  if (row.need_email === 0) return
  const addressesGone = gone.map(({ address }) => address)
  await visitsStore.endThoseOf(tx, row.id, addressesGone, deps.clock.now())
}

/** Keeps what the mail server said about each mail. */
export const mailSubscriptions: Subscriptions = {
  'mail.tried': {
    subscriber: 'links.mails',
    handleWithin: ({ jobId, outcome, answer, reason }, tx) =>
      recipientsStore.noteMail(tx, jobId, {
        mail_state: outcome,
        // A server that could not be reached said nothing.
        mail_answer: [...(answer === '' ? reason : answer)].slice(0, ANSWER_MAX / 2).join(''),
      }),
  },
  'job.failed': {
    subscriber: 'links.mails',
    async handleWithin({ jobId, kind }, tx) {
      if (isMailJob(kind)) await recipientsStore.giveUpMail(tx, jobId)
    },
  },
}
