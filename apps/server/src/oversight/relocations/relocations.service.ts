import type { Clock } from '@godwit/base'
import { LIMITS } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import { storagesStore, type Storages } from '../../foundation/storages/index.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { placeBlocker, siteBlocker, type Blocker } from './blockers.ts'
import { copyPlace, type CopiedPart, type PassResult } from './copy-place.ts'
import { rootOf } from './place-trees.ts'
import { removeCopies } from './remove-copies.ts'
import type { PlaceMoveRow } from './relocations.schema.ts'
import { relocationsStore, type PlaceKey } from './relocations.store.ts'
import { switchPlace } from './switch-place.ts'

export interface RelocationDeps {
  readonly db: Db
  readonly clock: Clock
  readonly storages: Pick<Storages, 'withId'>
  readonly signal: AbortSignal
}

/** Which places of a space: all, or those of one account or group. */
export interface ChosenPlaces {
  readonly spaceId: number
  readonly ownerId?: string | undefined
  readonly groupId?: number | undefined
}

export interface PlaceReport extends Partial<PassResult> {
  /** '' for the library of a group. */
  readonly ownerId: string
  readonly groupId: number
  /**
   * - copied: everything is on the other storage, as of this pass
   * - switched: it is kept there from now on
   * - blocked: something has to end first, see `blocker`
   * - failed: some bytes are not what was stored, see `corrupt`
   */
  readonly state: 'copied' | 'switched' | 'blocked' | 'failed'
  readonly blocker?: Blocker
  /** What of it is on the other storage. */
  readonly files: number
  readonly bytes: number
}

export interface Moving extends ChosenPlaces {
  readonly to: number
  /** Puts the places on the new storage after this pass. Only while no server runs. */
  readonly isFinal: boolean
  readonly onPlace?: (report: PlaceReport) => void
  readonly onCopied?: ((done: CopiedPart) => void) | undefined
}

/**
 * Copies places to another storage, as far as they are not there yet. Repeated it copies what has changed since; with `isFinal` each
 * place is on the other storage afterwards.
 * @throws AppError STORAGE_NOT_FOUND, STORAGE_IN_USE while a place has an earlier move to be settled, and StorageError
 */
export async function movePlaces(deps: RelocationDeps, moving: Moving): Promise<PlaceReport[]> {
  const { db, signal } = deps
  const reports: PlaceReport[] = []
  if (deps.storages.withId(moving.to) === undefined) throw new AppError('STORAGE_NOT_FOUND')
  const blocker = moving.isFinal ? await siteBlocker(db) : undefined
  for (const place of await placesToMove(db, moving)) {
    signal.throwIfAborted()
    const report = await movePlace(deps, place, { ...moving, blocker })
    if (report === undefined) continue
    reports.push(report)
    moving.onPlace?.(report)
  }
  return reports
}

/** Virtual directories stay where an administrator put them. */
export async function placesToMove(
  db: Db,
  { spaceId, to, ...chosen }: ChosenPlaces & { readonly to: number },
): Promise<Array<PlaceKey & { readonly storage_id: number }>> {
  const places = await storagesStore.placesIn(db, spaceId)
  return places.filter((place) => place.storage_id !== to && isChosen(place, chosen))
}

function isChosen({ owner_id, group_id }: PlaceKey, { ownerId, groupId }: Omit<ChosenPlaces, 'spaceId'>): boolean {
  if (ownerId !== undefined) return owner_id === ownerId && group_id === LIMITS.defaultGroupId
  if (groupId !== undefined) return group_id === groupId
  return group_id >= LIMITS.defaultGroupId
}

interface OneMove extends Moving {
  readonly blocker: Blocker | undefined
}

async function movePlace(
  deps: RelocationDeps,
  place: PlaceKey & { readonly storage_id: number },
  { to, isFinal, blocker: ofSite, onCopied }: OneMove,
): Promise<PlaceReport | undefined> {
  const { db, clock, storages, signal } = deps
  const root = await rootOf(db, place)
  if (root === undefined) return undefined
  const move = await moveOf(deps, place, to)
  const stores = { from: storages.withId(place.storage_id), to: storages.withId(to) }
  const pass = await copyPlace({ db, ...requireStores(stores), move, root, signal, onCopied })
  const { owner_id: ownerId, group_id: groupId } = place
  const report = { ownerId, groupId, ...pass, ...(await relocationsStore.sum(db, place)) }
  if (pass.corrupt.length > 0) return { ...report, state: 'failed' }
  if (!isFinal) return { ...report, state: 'copied' }
  const blocker = pass.changed > 0 ? 'changes' : (ofSite ?? (await placeBlocker(db, place)))
  if (blocker !== undefined) return { ...report, state: 'blocked', blocker }
  await switchPlace({ db, move, root, now: clock.now() })
  return { ...report, state: 'switched' }
}

async function moveOf(
  { db, clock }: RelocationDeps,
  { storage_id, ...place }: PlaceKey & { readonly storage_id: number },
  to: number,
): Promise<PlaceMoveRow> {
  const known = await relocationsStore.of(db, place)
  // What is left of an earlier move, or of one to elsewhere, would be taken for copies of this one.
  if (known !== undefined && (known.switched_at !== null || known.to_storage !== to))
    throw new AppError('STORAGE_IN_USE')
  if (known !== undefined) return known
  const { owner_id, space_id, group_id } = place
  const row = { owner_id, space_id, group_id, from_storage: storage_id, to_storage: to, round: 0 }
  const begun = { ...row, started_at: clock.now(), switched_at: null }
  await relocationsStore.begin(db, begun)
  return begun
}

function requireStores({ from, to }: { readonly from: ObjectStore | undefined; readonly to: ObjectStore | undefined }) {
  if (from === undefined || to === undefined) throw new AppError('STORAGE_NOT_FOUND')
  return { from, to }
}

export interface SettledMove {
  readonly ownerId: string
  readonly groupId: number
  /** `ended`: the place is on its new storage, and left nothing on the old one. `cancelled`: it stays where it was. */
  readonly outcome: 'ended' | 'cancelled'
  /** Files that somebody changed since they were copied, and that stay. */
  readonly kept: number
}

/**
 * Settles moves: what moved places left on their old storage is removed; with `isCancel` also what places that have not moved yet
 * have on the other one.
 */
export async function settleMoves(
  { db, storages, signal }: RelocationDeps,
  { spaceId, isCancel, ...chosen }: ChosenPlaces & { readonly isCancel: boolean },
): Promise<SettledMove[]> {
  const settled: SettledMove[] = []
  for (const move of await relocationsStore.ofSpace(db, spaceId)) {
    signal.throwIfAborted()
    const isOver = move.switched_at !== null
    if (!isChosen(move, chosen) || isOver === isCancel) continue
    const side = isOver ? 'from' : 'to'
    const store = storages.withId(isOver ? move.from_storage : move.to_storage)
    // A storage that was removed from the list keeps what is on it.
    const kept = store === undefined ? 0 : await removeCopies({ db, store, place: move, side })
    await inTransaction(db, (tx) => relocationsStore.end(tx, move))
    settled.push({
      ...{ ownerId: move.owner_id, groupId: move.group_id, outcome: isOver ? 'ended' : 'cancelled', kept },
    })
  }
  return settled
}
