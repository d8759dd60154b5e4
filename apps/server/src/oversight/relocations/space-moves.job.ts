import type { SpaceMoveProgress } from '@godwit/contract'
import { measureStored } from '../../content/files/index.ts'
import { storageHealthCode } from '../../foundation/storages/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { jobStanding, TryLater, type JobOf, type Run } from '../../kernel/queue/index.ts'
import type { CopiedPart } from './copy-place.ts'
import { progressOf } from './move-reports.ts'
import { rootOf, treesOf } from './place-trees.ts'
import { movePlaces, placesToMove, settleMoves, type PlaceReport } from './relocations.service.ts'
import { relocationsStore, type PlaceKey } from './relocations.store.ts'
import { NO_PROGRESS, type SpaceMovesDeps } from './space-moves.service.ts'
import { giveUpSwitch, orderSwitch, type OrderDeps } from './space-switch.order.ts'
import { spaceMovesStore } from './space-moves.store.ts'

type MoveJob = JobOf<'space.move'>
type MoveRun = Run<MoveJob['payload'], SpaceMoveProgress>
type JobDeps = Pick<SpaceMovesDeps, 'db' | 'clock' | 'storages'> & OrderDeps

/** Passes of one job: each leaves less to do than the one before. */
const PASSES_MAX = 3
/** Until the job before this one has stopped. */
const STOPPING_MS = 500
/** Until a storage that is away is asked again. */
const AWAY_MS = 15_000
const AWAY: readonly string[] = ['STORAGE_UNREACHABLE', 'STORAGE_THROTTLED']

/**
 * Does what an administrator asked for about the move of a space. It goes on where it was after a crash, and waits for a storage
 * that is away; any other fault ends it and is named.
 */
export async function runSpaceMove(deps: JobDeps, job: MoveJob, run: MoveRun): Promise<SpaceMoveProgress> {
  const { db, clock } = deps
  const { spaceId, task, after } = job.payload
  const mine = { space_id: spaceId, job_id: job.id }
  if (after !== '' && (await jobStanding(db, after, clock.now())) !== 'over') throw new TryLater(STOPPING_MS)
  if (!(await spaceMovesStore.changeWorking(db, mine, { error: '' }))) return job.progress
  try {
    if (task === 'switch') return await orderSwitch(deps, mine, job.progress)
    const progress = await (task === 'copy' ? copySpace(deps, job, run) : settleSpace(deps, job, run))
    const isWhole = progress.corrupt.length === 0
    const ended = { state: isWhole ? 'done' : 'failed', error: isWhole ? '' : 'FILE_CORRUPT' } as const
    await spaceMovesStore.changeWorking(db, mine, {
      ...ended,
      progress: JSON.stringify(progress),
      changed_at: clock.now(),
    })
    return progress
  } catch (thrown) {
    // Paused, or the server stops: nothing failed.
    if (run.signal.aborted || thrown instanceof TryLater) throw thrown
    const known = thrown instanceof AppError ? thrown.code : storageHealthCode(thrown)
    // A switch holds up the whole site, so nothing of it is tried again.
    const error = known ?? (task === 'switch' ? 'INTERNAL' : undefined)
    if (error === undefined) throw thrown
    if (AWAY.includes(error) && task !== 'switch') {
      await spaceMovesStore.changeWorking(db, mine, { error })
      throw new TryLater(AWAY_MS, { cause: thrown })
    }
    if (task === 'switch') await giveUpSwitch(deps, mine, error)
    else await spaceMovesStore.changeWorking(db, mine, { state: 'failed', error, changed_at: clock.now() })
    throw thrown instanceof AppError ? thrown : new AppError(error, undefined, { cause: thrown })
  }
}

async function copySpace(
  deps: JobDeps,
  { payload: { spaceId, to } }: MoveJob,
  run: MoveRun,
): Promise<SpaceMoveProgress> {
  const { db, clock, storages } = deps
  // Another node may have added it.
  if (storages.withId(to) === undefined) await storages.refresh()
  const places = await placesToMove(db, { spaceId, to })
  const total = await measure(deps, places, run)
  await requireRoom(deps, { spaceId, to, bytes: total.bytes })
  const began = clock.monotonic()
  let shown: SpaceMoveProgress = { ...NO_PROGRESS, places: places.length, ...total }
  let copied = 0
  run.report(shown)
  const onCopied = ({ files, bytes, isNew }: CopiedPart) => {
    if (isNew) copied += bytes
    const bytesPerSecond = Math.round((copied * 1000) / Math.max(1, clock.monotonic() - began))
    const done = { filesDone: shown.filesDone + files, bytesDone: shown.bytesDone + bytes }
    run.report((shown = { ...shown, ...done, bytesPerSecond }))
  }
  const onPlace = () => run.report((shown = { ...shown, placesDone: shown.placesDone + 1 }))
  let reports = await movePlaces({ ...deps, signal: run.signal }, { spaceId, to, isFinal: false, onCopied, onPlace })
  for (let pass = 1; pass < PASSES_MAX && reports.some(hasMore); pass++)
    reports = await movePlaces({ ...deps, signal: run.signal }, { spaceId, to, isFinal: false })
  return { ...shown, ...(await progressOf(db, spaceId, reports)) }
}

/** A pass that found work may have left some: what was changed behind it. */
function hasMore({ copied = 0, changed = 0 }: PlaceReport): boolean {
  return copied + changed > 0
}

/** What there is to copy. */
async function measure(
  { db, storages }: JobDeps,
  places: ReadonlyArray<PlaceKey & { readonly storage_id: number }>,
  run: MoveRun,
) {
  let files = 0
  let bytes = 0
  for (const place of places) {
    const store = storages.withId(place.storage_id)
    const root = await rootOf(db, place)
    if (store === undefined || root === undefined) continue
    for await (const { key } of treesOf(db, place, root)) {
      run.signal.throwIfAborted()
      const entry = await store.stat(key)
      if (entry === undefined) continue
      const size =
        entry.kind === 'file' ? { files: 1, bytes: entry.size } : await measureStored({ store, key }, run.signal)
      files += size.files
      bytes += size.bytes
    }
  }
  return { files, bytes }
}

interface Wanted {
  readonly spaceId: number
  readonly to: number
  readonly bytes: number
}

/** @throws AppError SPACE_MOVE_NO_ROOM, STORAGE_NOT_FOUND */
async function requireRoom({ db, storages }: JobDeps, { spaceId, to, bytes }: Wanted): Promise<void> {
  const store = storages.withId(to)
  if (store === undefined) throw new AppError('STORAGE_NOT_FOUND')
  const room = await store.space()
  if (room === undefined) return
  let there = 0
  for (const move of await relocationsStore.ofSpace(db, spaceId)) there += (await relocationsStore.sum(db, move)).bytes
  if (bytes - there > room.freeBytes) throw new AppError('SPACE_MOVE_NO_ROOM')
}

/** Removes the copies of a move that is given up, or what is left of one that is over. */
async function settleSpace(
  deps: JobDeps,
  { payload: { spaceId, task }, progress }: MoveJob,
  run: MoveRun,
): Promise<SpaceMoveProgress> {
  const isCancel = task === 'cancel'
  const settled = await settleMoves({ ...deps, signal: run.signal }, { spaceId, isCancel })
  // Files that somebody changed since they were copied stay.
  const changed = settled.reduce((total, { kept }) => total + kept, 0)
  return { ...progress, places: settled.length, placesDone: settled.length, changed }
}
