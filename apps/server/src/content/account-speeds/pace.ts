import type { Clock } from '@godwit/base'

/** Waits until these bytes may pass; undefined when they may at once. */
export type Pace = (bytes: number, signal: AbortSignal) => Promise<void> | undefined

export interface PaceDeps {
  readonly clock: Clock
  /** @throws the reason of the signal */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** An allowance of bytes that many may draw on. */
export interface PaceBucket {
  readonly pace: Pace
  /** To be called before the rate changes: what passed until now did so at the old one. */
  settle(): void
}

/** What an idle bucket lets through at once. */
const BURST_MS = 250
/** A wait is looked at anew this often: a period may have begun or ended, or somebody changed the limit. */
const LOOK_MS = 500

/** @param rateOf bytes per second that hold now; 0: no limit */
export function createPaceBucket({ clock, sleep = pause }: PaceDeps, rateOf: () => number): PaceBucket {
  /** Bytes asked for since the first, those of them that the rate has allowed until `at`, monotonic. */
  let taken = 0
  let allowed = 0
  let at = -Infinity

  function settle(): number {
    const rate = rateOf()
    const now = clock.monotonic()
    const most = taken + (rate * BURST_MS) / 1000
    allowed = rate === 0 ? taken : Math.min(most, allowed + ((now - at) / 1000) * rate)
    at = now
    return rate
  }

  async function wait(until: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const rate = settle()
      if (rate === 0 || allowed >= until) return
      await sleep(Math.min(Math.ceil(((until - allowed) / rate) * 1000), LOOK_MS), signal)
    }
  }

  return {
    pace(bytes, signal) {
      const rate = settle()
      taken += bytes
      return rate === 0 || allowed >= taken ? undefined : wait(taken, signal)
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
      reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
