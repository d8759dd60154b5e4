import { withAppErrors } from '../../../foundation/storages/index.ts'
import type { Door } from '../../../kernel/context.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { folderOf, type Found, type Location } from '../../access/index.ts'
import { originOf, type Origin } from '../../file-events/index.ts'
import type { Step } from './step.ts'
import type { NewStep, Steps } from './steps.ts'
import type { StepNote } from './step-note.ts'

/** Who changes files, and whose they are. */
export interface Actor {
  readonly userId: string
  readonly origin: Origin
}

interface Acting {
  readonly principal: Principal
  readonly door: Door
  /** Whose files these are, when not the principal's. */
  readonly ownerId?: string
}

export function actorOf({ principal, door, ownerId }: Acting): Actor {
  return { userId: ownerId ?? principal.id, origin: originOf({ principal, door }) }
}

export interface Change {
  readonly kind: Exclude<Step['kind'], 'make' | 'recycle' | 'revert'>
  readonly source: Found
  readonly to: Location
  readonly replaced?: Step['replaced']
  /** Of a folder, where somebody counted. */
  readonly bytes?: number
  readonly staying?: Step['staying']
}

/** An entry on its way to another place of the tree. */
export function stepOf(actor: Actor, { kind, source, to, replaced, bytes, staying = [] }: Change): Step {
  const { location, entry } = source
  const isAcross = location.place.groupId !== to.place.groupId
  const folders = [folderOf(to).key, ...(kind === 'move' ? [folderOf(location).key] : [])]
  return {
    ...actor,
    ...to.place,
    kind,
    entry: entry.kind,
    from: location.key,
    to: to.key,
    ...(isAcross ? { fromGroupId: location.place.groupId } : {}),
    fromPath: location.rulePath,
    path: to.path,
    etag: entry.etag,
    replaced,
    bytes: bytes ?? (entry.kind === 'file' ? entry.size : null),
    recycleId: '',
    isWholeItem: false,
    held: folders,
    ...(staying.length === 0 ? {} : { staying }),
    ...(location.store === to.store ? {} : { cross: {} }),
  }
}

/** The file whose place is taken. */
export async function replacedBy({ store, key }: Location): Promise<Step['replaced']> {
  const entry = await store.stat(key)
  return entry && { etag: entry.etag, bytes: entry.size }
}

/** The job that takes a step, and what it wants to know of it. */
export interface Noting extends Pick<NewStep, 'job' | 'onTaken'> {
  readonly note?: StepNote | undefined
}

/**
 * Makes a folder whose name is free. Call it while holding the folder above.
 * @throws AppError PATH_EXISTS, PATH_NOT_FOUND and what the storage refuses
 */
export async function addFolder(
  { steps }: { readonly steps: Steps },
  actor: Actor,
  made: Location,
  { note, ...noting }: Noting = {},
): Promise<void> {
  const step: Step = {
    ...actor,
    ...made.place,
    kind: 'make',
    entry: 'folder',
    from: '',
    to: made.key,
    fromPath: '',
    path: made.path,
    etag: '',
    replaced: undefined,
    bytes: null,
    recycleId: '',
    isWholeItem: false,
    held: [folderOf(made).key],
    ...(note === undefined ? {} : { note }),
  }
  const { store } = made
  const wanted = { step, store, ...noting }
  await withAppErrors(() => steps.take(wanted, () => store.createFolder(made.key)))
}
