import type { Clock } from '@godwit/base'
import { LIMITS, type SpaceMoveProgress, type SpaceMoveView } from '@godwit/contract'
import { allSpaces } from '../../content/spaces/index.ts'
import { CAN_RESTART } from '../../foundation/server-state/index.ts'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import {
  storagesStore,
  testStorage,
  type RunningStorages,
  type StorageAdminDeps,
} from '../../foundation/storages/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import { jobStanding, type Queue } from '../../kernel/queue/index.ts'
import { placesToMove } from './relocations.service.ts'
import { relocationsStore } from './relocations.store.ts'
import type { SpaceMoveRow } from './space-moves.schema.ts'
import { spaceMovesStore } from './space-moves.store.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly 'space.move': {
      readonly payload: {
        readonly spaceId: number
        readonly task: SpaceMoveRow['task']
        readonly to: number
        /** The job before it, which may still be stopping; '' for none. */
        readonly after: string
      }
      readonly progress: SpaceMoveProgress
    }
  }
}

export interface SpaceMovesDeps extends StorageAdminDeps {
  readonly db: Db
  readonly clock: Clock
  readonly locks: Pick<Locks, 'run'>
  readonly queue: Pick<Queue, 'add' | 'byId' | 'cancel'>
  readonly storages: RunningStorages
}

/** Who asks, and where it is recorded. */
export interface MoveCall {
  readonly userId: string
  readonly record: RecordChange
}

/** A big space takes days, and may wait for a storage that is away. */
const DEADLINE_MS = 365 * 24 * 3_600_000

export const NO_PROGRESS: SpaceMoveProgress = {
  ...{ places: 0, placesDone: 0, files: 0, bytes: 0, filesDone: 0, bytesDone: 0 },
  ...{ bytesPerSecond: 0, changed: 0, leftOut: 0, corrupt: [] },
}

/** @throws AppError SPACE_NOT_FOUND */
export async function viewSpaceMove({ db, queue }: Pick<SpaceMovesDeps, 'db' | 'queue'>, spaceId: number) {
  await requireSpace(db, spaceId)
  const places = await storagesStore.placesIn(db, spaceId)
  const storages = (await storagesStore.all(db)).map(({ id, name }) => ({
    ...{ id, name },
    places: places.filter((place) => place.storage_id === id && place.group_id >= LIMITS.defaultGroupId).length,
  }))
  const row = await spaceMovesStore.of(db, spaceId)
  const switched = (await relocationsStore.ofSpace(db, spaceId)).filter(
    ({ switched_at }) => switched_at !== null,
  ).length
  const move = row === undefined ? null : await present(queue, row)
  return { storages, move, switched, canSwitch: CAN_RESTART }
}

async function present(queue: Pick<Queue, 'byId'>, row: SpaceMoveRow): Promise<SpaceMoveView> {
  const known = {
    ...{ storageId: row.to_storage, task: row.task, error: row.error },
    state: row.state === 'ordered' ? ('working' as const) : row.state,
    ...{ startedAt: Number(row.started_at), changedAt: Number(row.changed_at) },
    progress: JSON.parse(row.progress) as SpaceMoveProgress,
  }
  const job = await queue.byId(row.job_id)
  if (job?.kind !== 'space.move' || row.state === 'done' || row.state === 'failed') return known
  // The queue gives up on faults that the job could not name.
  const hasEnded = row.state === 'working' && job.state === 'failed'
  return { ...known, ...(hasEnded ? { state: 'failed', error: 'INTERNAL' } : {}), progress: job.progress }
}

interface WantedMove {
  readonly spaceId: number
  readonly storageId: number
}

/**
 * Begins to copy a space to another storage, or goes on with it; the storage is proved first.
 * @throws AppError SPACE_NOT_FOUND, SPACE_MOVE_NEEDLESS, SPACE_MOVE_UNDER_WAY, SPACE_MOVE_UNSETTLED, and as testStorage throws
 */
export async function beginSpaceMove(deps: SpaceMovesDeps, call: MoveCall, wanted: WantedMove): Promise<void> {
  await requireSpace(deps.db, wanted.spaceId)
  // Two proofs of one storage at the same time would be in each other's way.
  await deps.locks.run('space-moves', () => beginAlone(deps, call, wanted))
}

async function beginAlone(deps: SpaceMovesDeps, call: MoveCall, { spaceId, storageId }: WantedMove): Promise<void> {
  const { db } = deps
  await requireIdle(deps, spaceId)
  const moves = await relocationsStore.ofSpace(db, spaceId)
  if (moves.some((move) => move.switched_at !== null || move.to_storage !== storageId))
    throw new AppError('SPACE_MOVE_UNSETTLED')
  await testStorage(deps, storageId)
  if ((await placesToMove(db, { spaceId, to: storageId })).length === 0) throw new AppError('SPACE_MOVE_NEEDLESS')
  await addTask(deps, call, { spaceId, task: 'copy', to: storageId })
}

/** @throws AppError SPACE_NOT_FOUND, SPACE_MOVE_MISSING while nothing is copied */
export async function pauseSpaceMove(
  { db, clock, queue }: SpaceMovesDeps,
  { record }: MoveCall,
  spaceId: number,
): Promise<void> {
  const name = await requireSpace(db, spaceId)
  const row = await spaceMovesStore.of(db, spaceId)
  if (row?.state !== 'working' || row.task !== 'copy') throw new AppError('SPACE_MOVE_MISSING')
  await inTransaction(db, async (tx) => {
    const change = { state: 'paused', changed_at: clock.now() } as const
    if (!(await spaceMovesStore.changeWorking(tx, row, change))) throw new AppError('SPACE_MOVE_MISSING')
    await record(tx, { kind: 'space', id: spaceId, name })
  })
  await queue.cancel(row.job_id)
}

/**
 * Has a copied space switched: what of it was not switched before goes on from there.
 * @throws AppError SPACE_NOT_FOUND, SPACE_MOVE_MISSING while it is not copied, SPACE_MOVE_UNDER_WAY, OPERATION_UNSUPPORTED
 */
export async function switchSpace(deps: SpaceMovesDeps, call: MoveCall, spaceId: number): Promise<void> {
  const { db } = deps
  await requireSpace(db, spaceId)
  if (!CAN_RESTART) throw new AppError('OPERATION_UNSUPPORTED')
  await requireIdle(deps, spaceId)
  const row = await spaceMovesStore.of(db, spaceId)
  const isCopied = row?.task === 'switch' || (row?.task === 'copy' && row.state === 'done')
  const open = (await relocationsStore.ofSpace(db, spaceId)).find(({ switched_at }) => switched_at === null)
  if (!isCopied || open === undefined) throw new AppError('SPACE_MOVE_MISSING')
  await addTask(deps, call, { spaceId, task: 'switch', to: open.to_storage })
}

/**
 * Gives up a move that is not switched: the space stays where it is, and its copies are removed.
 * @throws AppError SPACE_NOT_FOUND, SPACE_MOVE_MISSING, SPACE_MOVE_UNDER_WAY while something else than copying works
 */
export async function cancelSpaceMove(deps: SpaceMovesDeps, call: MoveCall, spaceId: number): Promise<void> {
  const { db, queue } = deps
  await requireSpace(db, spaceId)
  const row = await spaceMovesStore.of(db, spaceId)
  const open = (await relocationsStore.ofSpace(db, spaceId)).find(({ switched_at }) => switched_at === null)
  const isCopying = row?.state === 'working' && row.task === 'copy'
  if (open === undefined && !isCopying) throw new AppError('SPACE_MOVE_MISSING')
  if (!isCopying) await requireIdle(deps, spaceId)
  await addTask(deps, call, { spaceId, task: 'cancel', to: open?.to_storage ?? row?.to_storage ?? 0 })
  if (isCopying) await queue.cancel(row.job_id)
}

/**
 * Removes what switched places left on their old storage.
 * @throws AppError SPACE_NOT_FOUND, SPACE_MOVE_MISSING while nothing is switched, SPACE_MOVE_UNDER_WAY
 */
export async function freeSpaceMove(deps: SpaceMovesDeps, call: MoveCall, spaceId: number): Promise<void> {
  const { db } = deps
  await requireSpace(db, spaceId)
  await requireIdle(deps, spaceId)
  const switched = (await relocationsStore.ofSpace(db, spaceId)).find(({ switched_at }) => switched_at !== null)
  if (switched === undefined) throw new AppError('SPACE_MOVE_MISSING')
  await addTask(deps, call, { spaceId, task: 'free', to: switched.to_storage })
}

/** No storage is forgotten that copies are made on. @throws AppError STORAGE_IN_USE */
export async function requireNoMoveTo(tx: Db | Tx, storageId: number): Promise<void> {
  const isTarget = (await spaceMovesStore.isOpenOn(tx, storageId)) || (await relocationsStore.isTarget(tx, storageId))
  if (isTarget) throw new AppError('STORAGE_IN_USE')
}

/**
 * A job and a command never work on the same places.
 * @throws AppError SPACE_MOVE_UNDER_WAY while the job runs, and with `orWaits` also while it waits to
 */
export async function requireNoMoveJob(
  { db, clock }: { readonly db: Db | Tx; readonly clock: Clock },
  spaceId: number,
  { orWaits }: { readonly orWaits: boolean },
): Promise<void> {
  const row = await spaceMovesStore.of(db, spaceId)
  if (row === undefined) return
  const standing = await jobStanding(db, row.job_id, clock.now())
  if (standing === 'running' || (orWaits && standing === 'waiting')) throw new AppError('SPACE_MOVE_UNDER_WAY')
}

/** Under this lock a space gets a task, or is removed. */
export function moveLock(spaceId: number): string {
  return `space-move-${spaceId}`
}

/**
 * Forgets the move of a space that is being removed, under {@link moveLock}. Copies stay on their storage, like all that the space has.
 * @throws AppError SPACE_MOVE_UNDER_WAY while its job works
 */
export async function forgetSpaceMove(tx: Tx, clock: Clock, spaceId: number): Promise<void> {
  await requireNoMoveJob({ db: tx, clock }, spaceId, { orWaits: true })
  await spaceMovesStore.remove(tx, spaceId)
  await relocationsStore.endAll(tx, spaceId)
}

interface NewTask {
  readonly spaceId: number
  readonly task: SpaceMoveRow['task']
  readonly to: number
}

async function addTask(deps: SpaceMovesDeps, call: MoveCall, task: NewTask): Promise<void> {
  await deps.locks.run(moveLock(task.spaceId), () => writeTask(deps, call, task))
}

/** The row, its job and the record of both commit together; whoever comes second is refused. */
async function writeTask(
  { db, clock, queue }: SpaceMovesDeps,
  { userId, record }: MoveCall,
  task: NewTask,
): Promise<void> {
  const { spaceId, to } = task
  const name = await requireSpace(db, spaceId)
  const before = await spaceMovesStore.of(db, spaceId)
  const progress = NO_PROGRESS
  const now = clock.now()
  try {
    await inTransaction(db, async (tx) => {
      const payload = { ...task, after: before?.job_id ?? '' }
      const wanted = { kind: 'space.move', ownerId: userId, payload, progress, deadlineMs: DEADLINE_MS } as const
      const { id } = await queue.add(wanted, tx)
      const row = {
        ...{ space_id: spaceId, to_storage: to, task: task.task, job_id: id, state: 'working' as const, error: '' },
        ...{ progress: JSON.stringify(progress), started_at: now, changed_at: now, paused_server: 0 },
      }
      if (!(await spaceMovesStore.replace(tx, row, before))) throw new AppError('SPACE_MOVE_UNDER_WAY')
      const storage = (await storagesStore.byId(tx, to))?.name ?? String(to)
      await record(tx, { kind: 'space', id: spaceId, name, after: { storage } })
    })
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('SPACE_MOVE_UNDER_WAY', undefined, { cause: thrown })
    throw thrown
  }
}

async function requireIdle({ db, queue }: SpaceMovesDeps, spaceId: number): Promise<void> {
  const row = await spaceMovesStore.of(db, spaceId)
  if (row === undefined) return
  if ((await present(queue, row)).state === 'working') throw new AppError('SPACE_MOVE_UNDER_WAY')
}

async function requireSpace(db: Db, spaceId: number): Promise<string> {
  const space = (await allSpaces(db)).find(({ id }) => id === spaceId)
  if (space === undefined) throw new AppError('SPACE_NOT_FOUND')
  return space.spaceName
}
