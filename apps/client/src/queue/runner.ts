import type { Clock } from '@godwit/base'
import { ApiError, isTemporary } from '@godwit/sdk'
import type { TransferResult } from '@godwit/transfer'
import type { Profile, Profiles } from '../profiles/profile.ts'
import type { Api } from '../server-link/api.ts'
import type { LiveItems } from './live-items.ts'
import { isQueueError, type ItemChange, type Queue, type QueueItem } from './queue.ts'
import type { Outcome, Rests } from './rests.ts'
import { reasonOf } from '../transfers/reason.ts'
import { isWorthRetrying } from '../transfers/until-done.ts'
import type { FoundConflict } from '../transfers/conflicts.ts'
import type { TransferParts } from '../transfers/upload.ts'
import { FolderMissingError } from '../watch/watches.ts'

export interface RunnerDeps {
  readonly queue: Queue
  readonly live: LiveItems
  readonly rests: Rests
  /** Whether everything rests for now. */
  readonly isPaused: () => boolean
  readonly profiles: Pick<Profiles, 'read'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly connect: (profile: Profile) => Api
  /** Runs one to its end, or until the signal stops it. */
  readonly transfer: (item: QueueItem, parts: ItemParts) => Promise<QueuedResult>
  readonly report: (event: QueueEvent, item: QueueItem) => void
  /** The queue cannot be read or written; it is tried again. */
  readonly failed: (error: unknown) => void
}

export type QueueEvent = 'queue-started' | 'queue-asking' | 'queue-ended'

/** What became of a transfer, and what somebody is to decide before the rest of it can go. */
export interface QueuedResult extends TransferResult {
  readonly conflicts?: readonly FoundConflict[]
}

/** What a transfer of the queue is given. */
export interface ItemParts extends Omit<TransferParts, 'link'> {
  readonly signal: AbortSignal
}

/** Transfers at once: the second one fills the pauses of the first. */
const AT_ONCE = 2
/** Other programs change the queue, and what waits for a server is tried again. */
const LOOK_MS = 1_000
const NOTE_MS = 2_000
/** Attempts in a row without progress before a transfer gives back its turn: another one may be able to go. */
const MAX_IDLE_TRIES = 2

/** Somebody ended the transfer at the server while this computer was away. */
class CancelledError extends Error {}

type Running = Map<number, Promise<void>>

/** Works off the queue until it is stopped; what runs then goes on with the next start. */
export async function runQueue(deps: RunnerDeps): Promise<void> {
  const { queue, live, signal } = deps
  const running: Running = new Map()
  let [isRecovered, hasFailed] = [false, false]
  while (!signal.aborted) {
    try {
      if (!isRecovered) queue.recover()
      isRecovered = true
      look(deps, running)
      hasFailed = false
    } catch (error) {
      // It lasts until the disk has space again, and each look fails alike.
      if (!hasFailed) deps.failed(error)
      hasFailed = true
    }
    await live.changed(LOOK_MS, signal)
  }
  await Promise.all(running.values())
}

/** Begins what may begin. */
function look(deps: RunnerDeps, running: Running): void {
  const { queue, live, rests } = deps
  const rows = new Set(queue.running())
  // Another program has paused or cancelled it.
  for (const id of live.ids) if (!rows.has(id)) live.stop(id)
  // How that ended could not be written.
  for (const id of rows) if (!running.has(id)) queue.release(id)
  const isPaused = deps.isPaused()
  if (isPaused) live.stopAll()
  for (const item of isPaused || running.size >= AT_ONCE ? [] : rests.due(queue.waiting())) {
    if (running.size >= AT_ONCE) break
    if (running.has(item.id)) continue
    const work = runItem(deps, item).then((outcome) => {
      running.delete(item.id)
      rests.note(item, outcome)
    })
    running.set(item.id, work)
  }
}

/** Never rejects. */
async function runItem(deps: RunnerDeps, item: QueueItem): Promise<Outcome> {
  try {
    return await tryItem(deps, item)
  } catch (error) {
    deps.failed(error)
    return 'later'
  } finally {
    deps.live.end(item.id)
  }
}

/** @throws Error when its end cannot be written */
async function tryItem(deps: RunnerDeps, item: QueueItem): Promise<Outcome> {
  const { queue, live, report } = deps
  const { id, server, account } = item
  const profile = await deps.profiles.read({ server, account })
  if (profile === undefined) {
    if (item.error !== 'signed-out') queue.change(id, { error: 'signed-out' })
    return 'signed-out'
  }
  if (!queue.begin(id)) return 'stopped'
  const stopped = live.begin(id)
  report('queue-started', item)
  try {
    const result = await deps.transfer(item, {
      ...{ profile, signal: AbortSignal.any([deps.signal, stopped]) },
      ...partsFor(deps, item, deps.connect(profile)),
    })
    const { failures, files, bytes, conflicts = [] } = result
    if (conflicts.length > 0) {
      queue.ask(id, conflicts, failures)
      const asking = queue.get(id)
      if (asking !== undefined) report('queue-asking', asking)
      return 'answered'
    }
    const state = failures.length === 0 ? 'done' : 'partial'
    return endItem(deps, id, { state, error: '', failures, files, bytes, bytesDone: bytes })
  } catch (error) {
    if (isQueueError(error)) throw error
    return afterFailure(deps, id, { error, isStopped: stopped.aborted })
  }
}

function endItem({ queue, clock, report }: RunnerDeps, id: number, change: ItemChange): Outcome {
  queue.change(id, { ...change, finishedAt: clock.now() })
  const ended = queue.get(id)
  if (ended !== undefined) report('queue-ended', ended)
  return 'answered'
}

interface Failure {
  readonly error: unknown
  /** Whether this one was stopped, alone or with everything else that rests. */
  readonly isStopped: boolean
}

async function afterFailure(deps: RunnerDeps, id: number, { error, isStopped }: Failure): Promise<Outcome> {
  const { queue, signal } = deps
  const item = queue.get(id)
  // Whoever stopped it alone has written what it is now; a rest of everything leaves it as it was.
  if (item?.state !== 'running') {
    if (item?.state === 'cancelled') await cancelAtServer(deps, item)
    return 'stopped'
  }
  if (isStopped || signal.aborted) {
    queue.release(id)
    return 'stopped'
  }
  const why = reasonOf(error)
  if (isWorthRetrying(error) || error instanceof FolderMissingError) {
    queue.release(id, why)
    return error instanceof FolderMissingError ? 'later' : 'away'
  }
  const isCancelled = error instanceof CancelledError || (await isCancelledAtServer(deps, item))
  return endItem(deps, id, { state: isCancelled ? 'cancelled' : 'failed', error: isCancelled ? '' : why })
}

/** What is only shown: the transfer goes on where it cannot be written. */
function noteIn(queue: Queue, id: number, change: ItemChange): void {
  try {
    queue.change(id, change)
  } catch (error) {
    if (!isQueueError(error)) throw error
  }
}

function partsFor(
  { queue, live, rests, clock }: RunnerDeps,
  item: QueueItem,
  api: Api,
): Omit<TransferParts, 'link' | 'profile'> {
  const { id } = item
  let notedAt = -Infinity
  let isRetried = false
  const ticketOf: Api['ticketOf'] = async (transferId) => {
    try {
      return await api.ticketOf(transferId)
    } catch (error) {
      // A new transfer in its place would do what somebody has stopped.
      if (error instanceof ApiError && !isTemporary(error) && (await stateAtServer(api, transferId)) === 'cancelled')
        throw new CancelledError('cancelled', { cause: error })
      throw error
    }
  }
  return {
    maxIdleTries: MAX_IDLE_TRIES,
    api: { ...api, ticketOf },
    kept: {
      transferOf: () => Promise.resolve(queue.get(id)?.transferId || undefined),
      keepTransfer: (_task, transferId) => Promise.resolve(queue.change(id, { transferId })),
      // Its row shows what became of it; a repeated one asks the server for its ticket and gets a new one where it is over.
      forgetTransfer: () => Promise.resolve(),
    },
    eventsOf: (attempt) => ({
      progress({ files, bytes, bytesDone, bytesMoved, bytesPerSecond, bottleneck, path }) {
        attempt.movedBytes = bytesMoved
        if (bytesMoved > 0) rests.reached(item)
        live.note(id, { bytes, bytesDone, bytesPerSecond, path: path.mode, bottleneck: bottleneck?.name ?? '' })
        const now = clock.monotonic()
        const isBack = isRetried && bytesMoved > 0
        if (now - notedAt < NOTE_MS && !isBack) return
        notedAt = now
        noteIn(queue, id, { files, bytes, bytesDone, ...(isBack && { error: '' }) })
        if (isBack) isRetried = false
      },
    }),
    onRetry(reason) {
      isRetried = true
      live.note(id, undefined)
      noteIn(queue, id, { error: reason })
    },
  }
}

/** It may have begun there while it was cancelled here; one that stays behind is ended by the server. */
async function cancelAtServer(deps: RunnerDeps, item: QueueItem): Promise<void> {
  if (item.transferId === '') return
  const profile = await deps.profiles.read(item)
  if (profile === undefined) return
  await deps
    .connect(profile)
    .control(item.transferId, 'cancel')
    .catch(() => undefined)
}

async function isCancelledAtServer(deps: RunnerDeps, item: QueueItem): Promise<boolean> {
  if (item.transferId === '') return false
  const profile = await deps.profiles.read(item)
  if (profile === undefined) return false
  return (await stateAtServer(deps.connect(profile), item.transferId)) === 'cancelled'
}

async function stateAtServer(api: Pick<Api, 'transfers'>, transferId: string): Promise<string | undefined> {
  const all = await api.transfers().catch(() => [])
  return all.find((transfer) => transfer.transferId === transferId)?.state
}
