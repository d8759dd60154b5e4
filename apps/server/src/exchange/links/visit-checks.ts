import { createHash } from 'node:crypto'
import type { CopyOfFile, CopyResult } from '@godwit/contract'
import { recordedHash } from '../../content/files/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { checksStore } from './link-checks.store.ts'
import { addressHash } from './link-recipients.ts'
import { findShared, type VisitDownloadsDeps } from './visit-downloads.ts'
import { whenFollowed } from './link-identity.ts'
import { visitOf } from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

/**
 * Compares a guest's copy with what was recorded of the file. An equal one is noted at the recipient.
 * @throws AppError TOKEN_INVALID, LINK_EXPIRED, LINK_DOWNLOAD_NOT_ALLOWED, PATH_NOT_FOUND, PATH_IS_FOLDER
 */
export async function checkCopy(
  deps: VisitDownloadsDeps,
  ctx: Ctx,
  { path, size, hash }: CopyOfFile,
): Promise<{ readonly result: CopyResult }> {
  const { guest, row } = await visitOf(deps, ctx)
  const [found] = await whenFollowed(deps, row, (link, isSettled) =>
    findShared(deps, { guest, row: link, paths: [path], isSettled }),
  )
  if (found?.entry.kind !== 'file') throw new AppError('PATH_IS_FOLDER')
  const recorded = await recordedHash(deps, found)
  if (recorded.hash === undefined) return { result: found.entry.size === size ? 'unknown' : 'different' }
  if (recorded.hash !== hash || found.entry.size !== size) return { result: 'different' }
  const visit = await visitsStore.byId(deps.db, guest.visitId)
  if (visit !== undefined && visit.recipient !== '') {
    const file = createHash('sha256').update(`${path}\n${hash}`).digest('hex')
    const at = deps.clock.now()
    const check = { link_id: row.id, address_hash: addressHash(visit.recipient), file_hash: file, at }
    await checksStore.add(deps, check)
  }
  return { result: 'equal' }
}
