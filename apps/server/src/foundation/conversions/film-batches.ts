import os from 'node:os'
import { AppError } from '../../kernel/errors.ts'
import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import { untilAborted } from '../../kernel/until-aborted.ts'

/** Some segments of one film in one size, made one after the other in one run of a program. */
export interface BatchWork {
  /** Names the film, its content, size and mark: runs of the same make the same segments. */
  readonly stream: string
  /** Whose turn it is. */
  readonly owner: string
  readonly from: number
  /** Behind the last. */
  readonly to: number
  /**
   * Makes them.
   * @param deliver to be called with each, in order
   */
  readonly make: (deliver: Deliver, signal: AbortSignal) => Promise<void>
}

export type Deliver = (index: number, segment: Uint8Array) => void

export interface FilmBatches {
  /**
   * A segment that is being made, or the first of this run.
   * @throws AppError PREVIEW_UNSUPPORTED when the run ended without it, SERVER_BUSY; what making throws; the signal's reason
   */
  segment(index: number, signal: AbortSignal, work: BatchWork): Promise<Uint8Array>
  stop(): void
}

/** Runs that wait for their turn. */
const WAITING_MAX = 32
/** Somebody who goes on watching asks for the next segment sooner. */
const IDLE_MS = 10_000

interface Batch {
  readonly work: BatchWork
  readonly made: Map<number, Uint8Array>
  readonly wanted: Map<number, PromiseWithResolvers<Uint8Array>>
  readonly stop: AbortController
  waiting: number
  idle?: NodeJS.Timeout
}

/** Who goes further ahead in a run gets a run of their own, which begins there at once. */
const NEAR = 3

function isNear({ work: { from, to }, made }: Batch, index: number): boolean {
  return made.has(index) || (from <= index && index < Math.min(to, from + made.size + NEAR))
}

/** A run takes a core or two. Of one person one runs: where they went on to, what they left is ended. */
export function createFilmBatches(): FilmBatches {
  const turns = new FairSemaphore({ total: Math.max(1, Math.floor(os.availableParallelism() / 2)), perOwner: 1 })
  const running = new Set<Batch>()

  function begin(work: BatchWork): Batch {
    for (const other of running) {
      if (other.work.owner === work.owner && other.waiting === 0) end(other)
    }
    if (running.size >= WAITING_MAX) throw new AppError('SERVER_BUSY', { retryAfterSeconds: 5 })
    const batch: Batch = { work, made: new Map(), wanted: new Map(), stop: new AbortController(), waiting: 0 }
    running.add(batch)
    void run(batch)
    return batch
  }

  async function run(batch: Batch): Promise<void> {
    const { work, made, wanted, stop } = batch
    const { signal } = stop
    const deliver: Deliver = (index, segment) => {
      made.set(index, segment)
      wanted.get(index)?.resolve(segment)
    }
    let fault: unknown = new AppError('PREVIEW_UNSUPPORTED')
    try {
      await turns.run({ owner: work.owner, signal }, () => work.make(deliver, signal))
    } catch (thrown) {
      fault = thrown
    }
    clearTimeout(batch.idle)
    running.delete(batch)
    for (const one of wanted.values()) one.reject(fault)
  }

  function end(batch: Batch): void {
    running.delete(batch)
    batch.stop.abort(new Error('nobody waits for this film'))
  }

  return {
    async segment(index, signal, work) {
      const joined = [...running].find((batch) => batch.work.stream === work.stream && isNear(batch, index))
      const batch = joined ?? begin(work)
      clearTimeout(batch.idle)
      batch.waiting++
      try {
        const made = batch.made.get(index)
        return made ?? (await untilAborted(wish(batch, index), signal))
      } finally {
        batch.waiting--
        if (batch.waiting === 0) {
          const isBegun = batch.made.size > 0
          if (isBegun) batch.idle = setTimeout(() => end(batch), IDLE_MS).unref()
          else end(batch)
        }
      }
    },
    stop() {
      for (const batch of running) end(batch)
    },
  }
}

function wish({ wanted }: Batch, index: number): Promise<Uint8Array> {
  const one = wanted.get(index) ?? Promise.withResolvers<Uint8Array>()
  wanted.set(index, one)
  // Those who waited for it may all have gone away.
  one.promise.catch(() => undefined)
  return one.promise
}
