import { KIND_FOLDER } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { within, type Location } from './location.ts'
import { flagOf } from './needs.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'

/** An entry of a folder that exists for the principal. */
export interface ShownEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly location: Location
}

/** The entries of a folder that exist for the principal, in no order. Virtual directories in it are left out: copies are without them. */
export async function* shownEntries(folder: Location, signal?: AbortSignal): AsyncGenerator<ShownEntry> {
  for await (const page of folder.store.list(folder.key, signal === undefined ? {} : { signal })) {
    for (const [at, name] of page.names.entries()) {
      const isFolder = page.kinds[at] === KIND_FOLDER
      if (!folder.shows(name, isFolder)) continue
      const location = within(folder, name)
      if (!location.isMount) yield { name, isFolder, location }
    }
  }
}

/**
 * A folder that holds forbidden entries is neither moved nor renamed nor deleted: they would go with it. Anchored patterns
 * decide by themselves; for others the tree is looked through, so hold the folder above. That the refusal tells one bit of
 * what is hidden is accepted.
 * @throws AppError PERMISSION_DENIED with the flag of the location's need
 */
export async function requireNothingHidden(folder: Location, signal?: AbortSignal): Promise<void> {
  const hides = folder.hidesBelow()
  const isHiding = hides === 'yes' || (hides === 'look' && (await withAppErrors(() => holdsHidden(folder, signal))))
  if (isHiding) throw new AppError('PERMISSION_DENIED', { permission: flagOf(folder.need) })
}

async function holdsHidden(top: Location, signal: AbortSignal | undefined): Promise<boolean> {
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of folder.store.list(folder.key, signal === undefined ? {} : { signal })) {
      for (const [at, name] of page.names.entries()) {
        const isFolder = page.kinds[at] === KIND_FOLDER
        if (folder.hides(name, isFolder)) return true
        if (!isFolder || !folder.shows(name, true)) continue
        const below = within(folder, name)
        if (!below.isMount) waiting.push(below)
      }
    }
  }
  return false
}
