import { setTimeout as pause } from 'node:timers/promises'
import { randomHex, Semaphore, type Clock, type Random } from '@godwit/base'
import type { Log } from '../context.ts'
import type { Lease, LeaseStore } from './leases.ts'

export interface Held {
  /** Aborts when the lease is lost: another node may hold the lock from then on. */
  readonly signal: AbortSignal
  /** Greater than that of every earlier holder. What is written with a smaller one than the last comes from a holder that lost its lease. */
  readonly token: number
  /** No other process has held the lock since this one did: what this one knows of its subject is still true. */
  readonly isContinued: boolean
}

export interface LockOptions {
  /** Ends the wait for the lock; also passed on to the work. */
  readonly signal?: AbortSignal
  /** Longest wait. Default: as long as it takes. */
  readonly waitMs?: number
}

/** Somebody else held the lock for as long as the caller wanted to wait. */
export class LockBusy extends Error {
  constructor() {
    super('a lock stayed taken')
    this.name = 'LockBusy'
  }
}

/** A name that nobody else can claim until it is released, however long that takes. */
export interface Claim {
  release(): Promise<void>
}

/** Mutual exclusion among all nodes. A node that dies loses what it holds after the time of a lease. */
export interface Locks {
  /**
   * Runs `work` while nobody else runs work under this name. Waiting calls of one process are served in order.
   * @throws LockBusy, the signal's reason, and what the work throws
   */
  run<T>(name: string, work: (held: Held) => Promise<T>, options?: LockOptions): Promise<T>
  /** Runs `work` unless somebody runs work under this name now. @returns whether it ran */
  tryRun(name: string, work: (held: Held) => Promise<unknown>): Promise<boolean>
  /**
   * Claims a name within a scope, for longer than a lock is held.
   * @param value what {@link claims} shows; at most 255 characters
   * @returns undefined when it is claimed already
   */
  claim(scope: string, name: string, value: string): Promise<Claim | undefined>
  /** What is claimed in a scope: values by name. */
  claims(scope: string): Promise<ReadonlyMap<string, string>>
  /** Releases nothing, but renews nothing any more either. */
  stop(): void
}

export interface LocksDeps {
  readonly leases: LeaseStore
  readonly clock: Pick<Clock, 'monotonic'>
  readonly random: Random
  readonly log: Pick<Log, 'warn'>
  /** How long a dead node keeps what it held. Default 15 s. */
  readonly leaseMs?: number
}

const LEASE_MS = 15_000
/** Leases are renewed so many times before they would run out. */
const RENEWALS = 3
const LOCKS = 'lock'
/** Locks whose last token is remembered; of the others it is not known whether somebody else held them meanwhile. */
const REMEMBERED_MAX = 10_000
const FIRST_LOOK_MS = 4
const LONGEST_LOOK_MS = 60

export function createLocks(deps: LocksDeps): Locks {
  return new LeasedLocks(deps)
}

interface Keeping {
  readonly lease: Lease
  readonly lost: AbortController
  /** Monotonic time until which no other node can have it. */
  sureUntil: number
}

class LeasedLocks implements Locks {
  readonly #deps: LocksDeps
  readonly #leaseMs: number
  /** Only the first of each line asks the store. */
  readonly #lines = new Map<string, { readonly turn: Semaphore; users: number }>()
  readonly #kept = new Set<Keeping>()
  readonly #lastTokens = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: LocksDeps) {
    this.#deps = deps
    this.#leaseMs = deps.leaseMs ?? LEASE_MS
  }

  async run<T>(name: string, work: (held: Held) => Promise<T>, options: LockOptions = {}): Promise<T> {
    const until = this.#deps.clock.monotonic() + (options.waitMs ?? Infinity)
    const timer = options.waitMs === undefined ? undefined : new AbortController()
    const timeout = timer && setTimeout(() => timer.abort(new LockBusy()), options.waitMs)
    const signals = [options.signal, timer?.signal].filter((signal) => signal !== undefined)
    const patience = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
    try {
      return await this.#inLine(name, patience, async () => {
        const { keeping, token } = await this.#wait(this.#leaseOf(LOCKS, name), until, patience)
        clearTimeout(timeout)
        const signal = workSignal(keeping, options.signal)
        return this.#holding(keeping, () => work({ signal, token, isContinued: this.#continue(name, token) }))
      })
    } finally {
      clearTimeout(timeout)
    }
  }

  async tryRun(name: string, work: (held: Held) => Promise<unknown>): Promise<boolean> {
    if (this.#lines.has(name)) return false
    return this.#inLine(name, undefined, async () => {
      const taken = await this.#take(this.#leaseOf(LOCKS, name), '')
      if (taken === undefined) return false
      const { keeping, token } = taken
      const isContinued = this.#continue(name, token)
      await this.#holding(keeping, () => work({ signal: keeping.lost.signal, token, isContinued }))
      return true
    })
  }

  async claim(scope: string, name: string, value: string): Promise<Claim | undefined> {
    const taken = await this.#take(this.#leaseOf(`claim:${scope}`, name), value)
    return taken && { release: () => this.#letGo(taken.keeping) }
  }

  claims(scope: string): Promise<ReadonlyMap<string, string>> {
    return this.#deps.leases.held(`claim:${scope}`)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #leaseOf(scope: string, name: string): Lease {
    return { scope, name, owner: randomHex(this.#deps.random, 16) }
  }

  async #inLine<T>(name: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? { turn: new Semaphore(1), users: 0 }
    this.#lines.set(name, line)
    line.users++
    try {
      return await line.turn.run(work, signal)
    } finally {
      line.users--
      if (line.users === 0) this.#lines.delete(name)
    }
  }

  async #wait(lease: Lease, until: number, signal: AbortSignal | undefined) {
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
      const taken = await this.#take(lease, '')
      if (taken !== undefined) return taken
      if (this.#deps.clock.monotonic() >= until) throw new LockBusy()
      await pause(lookMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
    }
  }

  async #take(lease: Lease, value: string): Promise<{ keeping: Keeping; token: number } | undefined> {
    const sureUntil = this.#deps.clock.monotonic() + this.#leaseMs
    const token = await this.#deps.leases.take(lease, value, this.#leaseMs)
    if (token === undefined) return undefined
    const keeping: Keeping = { lease, lost: new AbortController(), sureUntil }
    this.#kept.add(keeping)
    this.#timer ??= setInterval(() => this.#renewAll(), this.#leaseMs / RENEWALS).unref()
    return { keeping, token }
  }

  #continue(name: string, token: number): boolean {
    if (!this.#deps.leases.isShared) return true
    const isContinued = this.#lastTokens.get(name) === token - 1
    this.#lastTokens.delete(name)
    this.#lastTokens.set(name, token)
    const [oldest] = this.#lastTokens.keys()
    if (this.#lastTokens.size > REMEMBERED_MAX && oldest !== undefined) this.#lastTokens.delete(oldest)
    return isContinued
  }

  async #holding<T>(keeping: Keeping, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      await this.#letGo(keeping)
    }
  }

  async #letGo(keeping: Keeping): Promise<void> {
    this.#kept.delete(keeping)
    if (this.#kept.size === 0) this.stop()
    try {
      await this.#deps.leases.release(keeping.lease)
    } catch (thrown) {
      // What the work did is done; others wait until the lease runs out.
      this.#deps.log.warn({ err: thrown }, 'a lock could not be released')
    }
  }

  #renewAll(): void {
    for (const keeping of this.#kept) {
      this.#renew(keeping).catch((thrown: unknown) =>
        this.#deps.log.warn({ err: thrown }, 'a lock could not be renewed'),
      )
    }
  }

  async #renew(keeping: Keeping): Promise<void> {
    const now = this.#deps.clock.monotonic()
    // A renewal that hangs must not outlast the lease: the next look may come too late.
    if (now + this.#leaseMs / RENEWALS > keeping.sureUntil) this.#lose(keeping)
    if (await this.#deps.leases.renew(keeping.lease, this.#leaseMs)) keeping.sureUntil = now + this.#leaseMs
    else this.#lose(keeping)
  }

  #lose(keeping: Keeping): void {
    if (this.#kept.delete(keeping)) keeping.lost.abort(new Error('a lock was lost'))
  }
}

function workSignal({ lost }: Keeping, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? lost.signal : AbortSignal.any([lost.signal, signal])
}
