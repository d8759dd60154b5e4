import type { Clock } from '@godwit/base'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { storeOf } from '../access/index.ts'
import type { FileEvent, Origin } from '../file-events/index.ts'
import { recycleIdsUnderWay, type BookStep, type FilesDeps } from '../files/index.ts'
import { forgetVersion } from '../kept-versions/index.ts'
import { rememberHashes, versionsStore, type Quotas, type VersionRow } from '../quotas/index.ts'

export interface VersionsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly files: FilesDeps
  readonly quotas: Quotas
}

const LEFTOVERS = 100
/** More versions than the place keeps. */
const BY_LIMIT: Origin = { by: { kind: 'system', id: '' }, door: 'schedule' }

/** What was taken up again is no version any more, and its hash is that of its file. Its bytes stay booked. */
export function bookRevert({ clock }: Pick<VersionsDeps, 'clock'>): BookStep {
  return async (tx, { recycleId: id, spaceId, to: key, etag }) => {
    const row = await versionsStore.byId(tx, id)
    await versionsStore.remove(tx, id)
    if (row !== undefined && row.hash !== '') {
      await rememberHashes(tx, clock, [{ spaceId, key, etag, hash: row.hash }])
    }
  }
}

/** Deletes the oldest versions of a file that has just got a new one, down to what its place keeps. */
export async function dropOldest(
  deps: VersionsDeps,
  { keptVersionId, path }: Pick<FileEvent, 'path'> & { readonly keptVersionId?: string },
): Promise<void> {
  const kept = keptVersionId === undefined ? undefined : await versionsStore.byId(deps.db, keptVersionId)
  if (kept === undefined) return
  const { space_id: spaceId, group_id: groupId, storage_key: key } = kept
  const limit = await deps.files.versions.limitOf({ spaceId, groupId })
  // Switched off meanwhile: what was kept before stays.
  if (limit === 0) return
  const rows = await versionsStore.ofFile(deps.db, { spaceId, key })
  for (const row of rows.slice(limit)) await removeVersion(deps, row, { path, origin: BY_LIMIT })
}

export interface Removal {
  /** Of its file, '' where that is not known any more. */
  readonly path: string
  readonly origin: Origin
}

/** Deletes one version for good. @throws AppError FILE_BUSY while it may be on its way back to the tree */
export async function removeVersion(deps: VersionsDeps, row: VersionRow, removal: Removal): Promise<void> {
  const { db, clock, files } = deps
  const { id, user_id: userId, space_id: spaceId, group_id: groupId, version_key: key, size } = row
  const store = await storeOf(files.storages, { userId, spaceId, groupId })
  await files.locks.run({ store, key }, async () => {
    if ((await recycleIdsUnderWay(db)).has(id)) throw new AppError('FILE_BUSY')
    const { origin, path } = removal
    const event = { ...origin, userId, spaceId, groupId, path, kind: 'file' as const, size: Number(size) }
    await withAppErrors(() =>
      forgetVersion(db, store, row, (tx) =>
        recordEvent({ tx, clock }, 'version.removed', { ...event, at: clock.now(), versionId: id }),
      ),
    )
  })
}

/** Ends removals that were cut short. One that fails does not keep the others. */
export async function finishRemovals(deps: VersionsDeps): Promise<void> {
  for (const row of await versionsStore.removing(deps.db, LEFTOVERS)) {
    try {
      await removeVersion(deps, row, { path: '', origin: BY_LIMIT })
    } catch (thrown) {
      deps.log.warn({ err: thrown, versionId: row.id }, 'a version could not be deleted; it will be tried again')
    }
  }
}
