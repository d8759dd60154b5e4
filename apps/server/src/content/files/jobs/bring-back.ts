import { withAppErrors } from '../../../foundation/storages/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { find, folderOf, nameOf, newWithin, type Found } from '../../access/index.ts'
import { versionsStore } from '../../quotas/index.ts'
import type { Actor, Step } from '../steps/index.ts'
import type { Carrier } from './place-entry.ts'
import type { FileJobsDeps } from './job-deps.ts'

interface BringingBack extends Pick<Carrier, 'needs'> {
  readonly deps: FileJobsDeps
  readonly actor: Actor
}

/**
 * Puts the content that a move had replaced where it was, after what was moved has left the name again.
 * @param left what stood there until now
 * @throws AppError PATH_EXISTS when somebody else took the name, VERSION_NOT_FOUND when the content is gone; then it stays what it
 * was: a version
 */
export async function bringBack({ deps, actor, needs }: BringingBack, left: Found, versionId: string): Promise<void> {
  const { locks, steps } = deps.files
  const { store, place, path, key: to } = left.location
  const folder = folderOf(left.location)
  const row = await versionsStore.byId(deps.db, versionId)
  if (row === undefined || row.removing !== 0) throw new AppError('VERSION_NOT_FOUND')
  const { version_key: from } = row
  const held = [folder.key, from]
  await locks.runAll(
    held.map((key) => ({ store, key })),
    async () => {
      const name = nameOf(left.location)
      const target = newWithin(folder, { name, kind: 'file', need: needs.file })
      if ((await find(target)) !== undefined) throw new AppError('PATH_EXISTS', { name })
      const version = await withAppErrors(() => store.stat(from))
      if (version === undefined) throw new AppError('VERSION_NOT_FOUND')
      const step: Step = {
        ...{ ...actor, ...place, kind: 'revert', entry: 'file', from, to, fromPath: path, path },
        ...{ etag: version.etag, replaced: undefined, bytes: version.size },
        ...{ recycleId: row.id, isWholeItem: true, held },
      }
      await withAppErrors(() => steps.take({ step, store }, () => store.move(from, to, { conflict: 'fail' })))
    },
  )
}
