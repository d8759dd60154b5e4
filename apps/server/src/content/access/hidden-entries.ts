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
 * A folder that holds forbidden entries is neither moved nor renamed nor deleted: they would go with it. Nor does it go to where
 * something in it would be forbidden. Anchored patterns decide by themselves; for others the tree is looked through, so hold the
 * folder above. That the refusal tells one bit of what is hidden is accepted.
 * @param to where a rename or move puts the folder
 * @throws AppError PERMISSION_DENIED with the flag of the location's need
 */
export async function requireNothingHidden(
  folder: Location,
  { signal, to }: { readonly signal?: AbortSignal; readonly to?: Location } = {},
): Promise<void> {
  const views = to === undefined ? [folder] : [folder, to]
  const hides = views.map((view) => view.hidesBelow())
  const isHiding =
    hides.includes('yes') ||
    (hides.includes('look') && (await withAppErrors(() => holdsHidden(folder, { signal, to }))))
  if (isHiding) throw new AppError('PERMISSION_DENIED', { permission: flagOf(folder.need) })
}

/** Whether an entry of the tree is hidden where it is, or would be at `to`. */
async function holdsHidden(
  top: Location,
  { signal, to }: { readonly signal: AbortSignal | undefined; readonly to: Location | undefined },
): Promise<boolean> {
  const waiting = [{ folder: top, views: to === undefined ? [top] : [top, to] }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, views } = next
    for await (const page of folder.store.list(folder.key, signal === undefined ? {} : { signal })) {
      for (const [at, name] of page.names.entries()) {
        const isFolder = page.kinds[at] === KIND_FOLDER
        if (views.some((view) => view.hides(name, isFolder))) return true
        if (!isFolder || !views.every((view) => view.shows(name, true))) continue
        const below = within(folder, name)
        if (!below.isMount) waiting.push({ folder: below, views: views.map((view) => within(view, name)) })
      }
    }
  }
  return false
}
