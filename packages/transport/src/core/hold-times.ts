import type { HoldTimes, Micros } from './session.types.ts'

/** Adds up how long sending was delayed, and by what: the figures behind a reported bottleneck. */
export class HoldClock {
  readonly #total = { source: 0, peerWindow: 0, limit: 0, network: 0, idle: 0 }
  #cause: keyof HoldTimes = 'idle'
  #since: Micros = -1

  /** From now on `cause` delays sending. */
  set(now: Micros, cause: keyof HoldTimes): void {
    this.#settle(now)
    this.#cause = cause
  }

  totals(now: Micros): HoldTimes {
    this.#settle(now)
    return { ...this.#total }
  }

  #settle(now: Micros): void {
    if (this.#since >= 0) this.#total[this.#cause] += now - this.#since
    this.#since = now
  }
}
