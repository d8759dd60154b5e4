import { withAppErrors } from '../../../foundation/storages/index.ts'
import type { Db } from '../../../kernel/db/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { find, folderOf, nameOf, newWithin, type Location } from '../../access/index.ts'
import { carryVersionRows, versionsStore, type VersionRow } from '../../quotas/index.ts'
import type { Actor, Step } from '../steps/index.ts'
import type { Made } from './made.ts'
import type { Carrier } from './place-entry.ts'
import type { FileJobsDeps } from './job-deps.ts'

interface BringingBack extends Pick<Carrier, 'needs'>, Pick<Made, 'versionId' | 'older'> {
  readonly deps: FileJobsDeps
  readonly actor: Actor
  readonly jobId: string
}

/**
 * Puts the content that a move had replaced where it was, with the versions that it had, after what was moved has left the name again.
 * Of another place they never left it.
 * @param left what stood there until now
 * @throws AppError PATH_EXISTS when somebody else took the name, VERSION_NOT_FOUND when the content is gone; then it stays what it
 * was: a version
 */
export async function bringBack(
  { deps, actor, jobId, needs, versionId, older = [] }: BringingBack,
  left: Location,
): Promise<void> {
  const { locks, steps } = deps.files
  const { store, place, path, key: to } = left
  const folder = folderOf(left)
  const row = await versionsStore.byId(deps.db, versionId)
  if (row === undefined || row.removing !== 0) throw new AppError('VERSION_NOT_FOUND')
  const { version_key: from } = row
  const held = [folder.key, from]
  await locks.runAll(
    held.map((key) => ({ store, key })),
    async () => {
      const name = nameOf(left)
      const target = newWithin(folder, { name, kind: 'file', need: needs.file })
      if ((await find(target)) !== undefined) throw new AppError('PATH_EXISTS', { name })
      const version = await withAppErrors(() => store.stat(from))
      if (version === undefined) throw new AppError('VERSION_NOT_FOUND')
      await carryOlder(deps.db, { row, older, userId: actor.userId, to })
      const step: Step = {
        ...{ ...actor, ...place, kind: 'revert', entry: 'file', from, to, fromPath: path, path },
        ...{ etag: version.etag, replaced: undefined, bytes: version.size },
        ...{ recycleId: row.id, isWholeItem: true, held },
      }
      await withAppErrors(() =>
        steps.take({ step, store, job: { id: jobId, at: -1 } }, () => store.move(from, to, { conflict: 'fail' })),
      )
    },
  )
}

interface Older {
  /** The version that comes back itself. It went with what was moved, as these did. */
  readonly row: VersionRow
  readonly older: readonly string[]
  readonly userId: string
  readonly to: string
}

/** Before the content is there: the version that stands for it tells, after a cut, that this is to be done. */
async function carryOlder(db: Db, { row, older, userId, to }: Older): Promise<void> {
  const { space_id: spaceId, group_id: groupId, storage_key: from } = row
  const kept = older.length > 0 ? await versionsStore.ofFile(db, { spaceId, key: from }) : []
  const rows = kept.filter(({ id }) => older.includes(id))
  if (rows.length > 0) await carryVersionRows(db, { spaceId, groupId, userId, from, to, until: row.kept_at }, rows)
}
