import { withAppErrors } from '../../../foundation/storages/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/db/index.ts'
import { folderOf, requireEntry, type Location } from '../../access/index.ts'
import { versionsStore, type VersionRow } from '../../quotas/index.ts'
import type { FilesDeps } from '../files.deps.ts'
import type { Actor, NewStep, Step } from '../steps/index.ts'
import { requireSeen } from './seen.ts'

export interface Revert {
  readonly actor: Actor
  readonly versionId: string
  /** What the file has to be, see seen.ts; undefined for whatever it is. */
  readonly seen?: string | undefined
  /** The job that takes the step. */
  readonly job?: NewStep['job'] | undefined
}

/**
 * Puts a version in the place of its file, whose content becomes a version, whatever the settings say: nothing is lost by it.
 * @throws AppError PATH_NOT_FOUND, VERSION_NOT_FOUND, FILE_CHANGED where the file is not what was seen
 */
export async function revertFile(
  { files, db }: { readonly files: FilesDeps; readonly db: Db },
  location: Location,
  { actor, versionId, seen, job }: Revert,
): Promise<void> {
  const { store, key: to, path } = location
  const { version_key: from } = await requireVersion(db, location, versionId)
  const held = [folderOf(location).key, from]
  await files.locks.runAll(
    held.map((key) => ({ store, key })),
    async (folders) => {
      const row = await requireVersion(db, location, versionId)
      const { entry } = await requireEntry(location)
      requireSeen(entry, seen)
      const version = await withAppErrors(() => store.stat(from))
      if (version === undefined) throw new AppError('VERSION_NOT_FOUND')
      const step: Step = {
        ...actor,
        ...location.place,
        kind: 'revert',
        entry: 'file',
        ...{ from, to, fromPath: path, path },
        etag: version.etag,
        replaced: { etag: entry.etag, bytes: entry.size },
        bytes: version.size,
        recycleId: row.id,
        isWholeItem: true,
        held,
      }
      const wanted = { step, store, held: folders, ...(job === undefined ? {} : { job }) }
      await withAppErrors(() => files.steps.take(wanted, () => store.move(from, to, { conflict: 'replace' })))
    },
  )
}

/** @throws AppError VERSION_NOT_FOUND for one of another file, or one that is going */
export async function requireVersion(db: Db, { place, key }: Location, id: string): Promise<VersionRow> {
  const row = await versionsStore.byId(db, id)
  const isOfFile = row?.space_id === place.spaceId && row.storage_key === key && row.removing === 0
  if (row === undefined || !isOfFile) throw new AppError('VERSION_NOT_FOUND')
  return row
}
