import { SHARE_URL_TYPE, type LinkRecipient } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { missingByRecipient } from './link-requests.ts'
import { checksStore } from './link-checks.store.ts'
import { recipientsStore } from './link-recipients.store.ts'
import type { LinkRecipientRow, LinkRow } from './links.schema.ts'
import { visitsStore, type RecipientUse } from './visits.store.ts'

/** What each recipient did, in the order of their addresses. */
export async function presentRecipients(db: Db | Tx, link: Pick<LinkRow, 'id' | 'request'>): Promise<LinkRecipient[]> {
  const { id } = link
  const missingOf = await missingByRecipient(db, link)
  const uses = Map.groupBy(await visitsStore.usesOfRecipients(db, id), ({ recipient }) => recipient)
  const checks = await checksStore.countsOfLink(db, id)
  return (await recipientsStore.ofLink(db, id)).map((row) => ({
    verified: checks.get(row.address_hash) ?? 0,
    ...presentOne(row, uses.get(row.address) ?? []),
    missing: missingOf?.(row.address) ?? [],
  }))
}

function presentOne(row: LinkRecipientRow, uses: readonly RecipientUse[]): Omit<LinkRecipient, 'missing' | 'verified'> {
  const downloads = uses.filter(({ kind }) => kind === 'download')
  const brought = uses.filter(({ kind }) => kind === 'upload')
  return {
    address: row.address,
    mail: row.mail_state,
    answer: row.mail_answer,
    mailedAt: seconds(row.mailed_at),
    openedAt: seconds(row.opened_at),
    provenAt: seconds(row.proven_at),
    downloads: downloads.length,
    uploads: brought.reduce((sum, use) => sum + use.file_count, 0),
    bytes: uses.reduce((sum, use) => sum + Number(use.bytes), 0),
    percent: percentOf(downloads),
  }
}

/**
 * How much arrived of everything that was asked for; of what was asked for twice, the better time counts. A length that nobody
 * knows yet makes the whole unknown, until all of it has arrived.
 */
export function percentOf(downloads: readonly RecipientUse[]): number | null {
  let arrived = 0
  let total = 0
  let isWhole = downloads.length > 0
  for (const same of Map.groupBy(downloads, ({ files }) => files).values()) {
    if (same.some((use) => use.is_whole === 1)) {
      const bytes = Math.max(...same.map((use) => Math.max(Number(use.total_bytes), Number(use.bytes))))
      arrived += bytes
      total += bytes
      continue
    }
    isWhole = false
    const known = Math.max(...same.map((use) => Number(use.total_bytes)))
    if (known === 0) return null
    arrived += Math.min(known, Math.max(...same.map((use) => Number(use.bytes))))
    total += known
  }
  if (isWhole) return 100
  return total === 0 ? null : Math.min(99, Math.floor((arrived * 100) / total))
}

function seconds(ms: number): number {
  return Math.floor(Number(ms) / 1000)
}

/** Whether a recipient has still to do what the link is for. */
export function isMissing(
  { openedAt, uploads, percent, missing }: LinkRecipient,
  row: Pick<LinkRow, 'url_type' | 'allow_download'>,
): boolean {
  if (row.url_type === SHARE_URL_TYPE.upload) return uploads === 0 || missing.length > 0
  return row.allow_download === 1 ? percent !== 100 : openedAt === 0
}
