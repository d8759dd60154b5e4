import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { noteArrival } from './link-requests.ts'
import type { LinksDeps } from './links.deps.ts'
import type { LinkRow, LinkUseRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

/** Paths that a record names. */
export const PATHS_RECORDED = 10
/** A reader that comes back for another range within this time is still at the same download. */
const CONTINUED_MS = 12 * 3_600_000
/** Files of one visit that come within this time are one record. */
export const TOGETHER_MS = 10 * 60_000

export interface Taking {
  readonly guest: GuestPrincipal
  readonly row: LinkRow
  readonly address: string
  /** Paths as the guest sees them. */
  readonly paths: readonly string[]
  /** First byte asked for. */
  readonly start: number
  /** Bytes of all of it; 0 while nobody knows. */
  readonly totalBytes: number
}

/**
 * Counts a download, before its first byte leaves; ranges after the first belong to the same one.
 * @returns its record
 * @throws AppError LINK_EXPIRED when the downloads of the link are used up
 */
export async function countDownload(deps: LinksDeps, taking: Taking): Promise<string> {
  const { guest, row, address, paths, start, totalBytes } = taking
  const files = JSON.stringify(paths.slice(0, PATHS_RECORDED))
  const at = deps.clock.now()
  const same = { linkId: row.id, visitId: guest.visitId, address, files }
  const known = start > 0 ? await visitsStore.latestDownload(deps.db, same, at - CONTINUED_MS) : undefined
  if (known !== undefined) return known
  const id = deps.ids.next()
  await inTransaction(deps.db, async (tx) => {
    if (!(await linksStore.countDownload(tx, row.id))) throw new AppError('LINK_EXPIRED')
    const fileCount = paths.length
    const use = { id, link_id: row.id, visit_id: guest.visitId, kind: 'download', address, files, at } as const
    const recipient = guest.visitId === '' ? '' : ((await visitsStore.byId(tx, guest.visitId))?.recipient ?? '')
    const size = { file_count: fileCount, bytes: 0, total_bytes: totalBytes, is_whole: 0 }
    await visitsStore.addUse(tx, { ...use, ...size, recipient })
    const who = { linkId: row.id, userId: row.owner_id, visitId: guest.visitId, address }
    await deps.outbox.add(tx, 'link.used', { ...who, kind: 'download', fileCount, bytes: 0, at })
  })
  deps.outbox.nudge()
  return id
}

/** A file that came by an invite link. */
export interface Brought {
  readonly visitId: string
  readonly linkId: string
  /** As the owner sees it. */
  readonly path: string
  /** As the guest sees it. */
  readonly shown: string
  readonly kind: 'file' | 'folder'
  readonly bytes: number
  readonly at: number
}

/** Notes what a visit brought, within the transaction that takes the event of it. */
export async function noteBrought(deps: Pick<LinksDeps, 'dialect' | 'ids'>, tx: Tx, brought: Brought): Promise<void> {
  const { visitId, linkId, path, shown, kind, bytes, at } = brought
  const link = await linksStore.byId(tx, linkId)
  const entry = { visit_id: visitId, link_id: linkId, path, kind, at }
  if (link === undefined || !(await visitsStore.addEntry({ tx, dialect: deps.dialect }, entry)) || kind === 'folder')
    return
  await linksStore.countUploads(tx, linkId, 1)
  const visit = await visitsStore.byId(tx, visitId)
  const recipient = visit?.recipient ?? ''
  await noteArrival(deps, tx, { row: link, by: { linkId, visitId, recipient }, path: shown, bytes, at })
  const latest = await visitsStore.latestUpload(tx, { linkId, visitId }, at - TOGETHER_MS)
  if (latest === undefined) {
    const use = { id: deps.ids.next(), link_id: linkId, visit_id: visitId, kind: 'upload', at } as const
    const files = JSON.stringify([shown])
    const from = { address: visit?.address ?? '', recipient }
    await visitsStore.addUse(tx, { ...use, ...from, files, file_count: 1, bytes, total_bytes: 0, is_whole: 1 })
    return
  }
  const files = JSON.parse(latest.files) as string[]
  if (files.length < PATHS_RECORDED) files.push(shown)
  const change: Partial<LinkUseRow> = {
    files: JSON.stringify(files),
    file_count: latest.file_count + 1,
    bytes: Number(latest.bytes) + bytes,
  }
  await visitsStore.changeUse(tx, latest.id, change)
}
