import type { Clock } from '@godwit/base'
import { FairQueue, type Sharer } from './fair-queue.ts'

/** Waits until these bytes may pass; undefined when they may at once. */
export type Pace = (bytes: number, signal: AbortSignal) => Promise<void> | undefined

export interface PaceDeps {
  readonly clock: Clock
  /** @throws the reason of the signal */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** An allowance of bytes that many may draw on. */
export interface PaceBucket {
  /** As a Pace. While it is short, each sharer gets a part by its weight, however many transfers it has. */
  readonly pace: (bytes: number, signal: AbortSignal, sharer?: Sharer) => Promise<void> | undefined
  /** To be called before the rate changes: what passed until now did so at the old one. */
  settle(): void
}

/** What an idle bucket lets through at once. */
const BURST_MS = 250
/** A wait is looked at anew this often: a period may have begun or ended, or somebody changed the limit. */
const LOOK_MS = 500
/** Of a bucket that one account has for itself. */
const ALONE: Sharer = { key: '', weight: 1 }
const NEVER = new AbortController().signal

interface Wait {
  readonly bytes: number
  readonly pass: () => void
}

/** @param rateOf bytes per second that hold now; 0: no limit */
export function createPaceBucket({ clock, sleep = pause }: PaceDeps, rateOf: () => number): PaceBucket {
  /** Bytes that have passed since the first, those that wait, those that the rate has allowed until `at`, monotonic. */
  let passed = 0
  let waiting = 0
  let allowed = 0
  let at = -Infinity
  const queue = new FairQueue<Wait>()
  let isServed = false

  function settle(): number {
    const rate = rateOf()
    const now = clock.monotonic()
    const most = passed + waiting + (rate * BURST_MS) / 1000
    allowed = rate === 0 ? passed : Math.min(most, allowed + ((now - at) / 1000) * rate)
    at = now
    return rate
  }

  async function serve(): Promise<void> {
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      const rate = settle()
      const short = passed + first.bytes - allowed
      if (rate === 0 || short <= 0) {
        queue.shift()
        waiting -= first.bytes
        passed += first.bytes
        first.pass()
      } else await sleep(Math.min(Math.ceil((short / rate) * 1000), LOOK_MS), NEVER)
    }
    isServed = false
  }

  function wait(bytes: number, signal: AbortSignal, sharer: Sharer): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.remove(one)
        waiting -= bytes
        reject(reasonOf(signal))
      }
      const pass = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const one = { bytes, pass }
      if (signal.aborted) return reject(reasonOf(signal))
      signal.addEventListener('abort', giveUp, { once: true })
      waiting += bytes
      queue.push(sharer, bytes, one)
      if (isServed) return
      isServed = true
      void serve()
    })
  }

  return {
    pace(bytes, signal, sharer = ALONE) {
      const rate = settle()
      if (rate > 0 && (queue.length > 0 || allowed < passed + bytes)) return wait(bytes, signal, sharer)
      passed += bytes
      return undefined
    },
    settle: () => void settle(),
  }
}

/** Bytes pass when all of them let them. */
export function everyPace(...paces: ReadonlyArray<Pace | undefined>): Pace {
  return (bytes, signal) => {
    let waits: Array<Promise<void>> | undefined
    for (const pace of paces) {
      const wait = pace?.(bytes, signal)
      if (wait !== undefined) (waits ??= []).push(wait)
    }
    return waits && Promise.all(waits).then(() => undefined)
  }
}

/** Waits until these bytes may pass, or nobody is there any more to be slowed down. */
export async function paceUntil(pace: Pace | undefined, bytes: number, closing: AbortSignal): Promise<void> {
  const wait = pace?.(bytes, closing)
  if (wait === undefined) return
  await wait.catch((thrown: unknown) => {
    if (!closing.aborted) throw thrown
  })
}

/** @throws the reason of the signal */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('stopped')
}
