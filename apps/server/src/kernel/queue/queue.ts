import { randomHex, type Clock, type Random } from '@godwit/base'
import type { Log } from '../context.ts'
import { inTransaction, type Database, type Tx } from '../db/index.ts'
import { AppError, toAppError } from '../errors.ts'
import { recordEvent, type Bus } from '../events/index.ts'
import type { Ids } from '../ids.ts'
import { toJob, type AnyJob, type Job, type JobKind, type JobOf, type NewJob } from './jobs.ts'
import type { JobRow, JobState } from './queue.schema.ts'
import { queueStore } from './queue.store.ts'

declare module '../events/bus.ts' {
  interface Signals {
    /** A job has moved on; at most four times a second and job while it runs. */
    readonly 'job.changed': { readonly job: AnyJob }
  }
}

declare module '../events/outbox.ts' {
  interface DurableEvents {
    /** A job ended without having done its work. */
    readonly 'job.failed': { readonly jobId: string; readonly kind: JobKind; readonly ownerId: string }
  }
}

/** Thrown by a handler that waits for something outside: the job stays queued until then, however often, up to its deadline. */
export class TryLater extends Error {
  readonly afterMs: number
  constructor(afterMs: number, options?: ErrorOptions) {
    super('a job waits for its next try', options)
    this.afterMs = afterMs
  }
}

/** What a running job may do. */
export interface Run<Payload, Progress> {
  /** Aborts when the job is cancelled, out of time, or no longer ours. */
  readonly signal: AbortSignal
  /** Shows progress; written down once a second. */
  report(progress: Progress): void
  /** Writes down from where to go on after a crash, and the progress so far. Within `tx`, it commits with what was done. */
  checkpoint(payload: Payload, tx?: Tx): Promise<void>
}

/**
 * Does the work. It may run again from its last checkpoint, so each step must bear repetition.
 * An AppError fails the job for good, {@link TryLater} puts it off; anything else is tried again a few times, and so is a run
 * whose process died.
 * @returns the final progress
 */
export type JobHandler<Payload, Progress> = (
  job: Job<Payload, Progress>,
  run: Run<Payload, Progress>,
) => Promise<Progress>

type AnyHandler = (job: Job<never, never>, run: Run<never, never>) => Promise<unknown>

/** What does the jobs of each kind. */
export type JobHandlers = {
  readonly [Kind in JobKind]?: JobHandler<JobOf<Kind>['payload'], JobOf<Kind>['progress']>
}

export interface Queue {
  /**
   * Registers what does these kinds of jobs.
   * @param lane jobs of one lane never wait for those of another; without a name, the common one
   */
  handle(handlers: JobHandlers, lane?: string): void
  add<Kind extends JobKind>(job: NewJob<Kind>, tx?: Tx): Promise<JobOf<Kind>>
  byId(id: string): Promise<AnyJob | undefined>
  /** The job once it has ended, or as it is after `withinMs`. */
  settled(id: string, withinMs: number): Promise<AnyJob>
  /** Asks a job to stop. Ended ones stay as they are. */
  cancel(id: string): Promise<void>
  /** Lets a failed or cancelled job run once more from where it stopped. */
  rerun(id: string): Promise<boolean>
  purge(finishedBeforeMs: number): Promise<number>
  start(): void
  /** Resolves when the jobs under way have stopped; they go on after the next start. */
  stop(): Promise<void>
}

export interface QueueDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly bus: Bus
  readonly log: Log
}

/** Jobs of one lane that run at once. */
const WORKERS = 4
const COMMON_LANE = ''
/** How long a crashed process's jobs wait for another one. Renewed three times as often. */
const LEASE_MS = 30_000
const POLL_MS = 2_000
const AFTER_COMMIT_MS = 20
/** Runs that ended with a fault; waiting and orderly stops do not count. */
const ATTEMPTS_MAX = 5
/** A job that was begun so often, and whose process died each time, may be what kills it. */
const STARTS_MAX = 10
const BACKOFF_MS = 2_000
const DEADLINE_MS = 7 * 24 * 3_600_000
const WRITE_EVERY_MS = 1_000
const NOTIFY_EVERY_MS = 250

interface RunningJob {
  readonly kind: string
  readonly stop: AbortController
  readonly done: Promise<void>
}

class Stop extends Error {
  readonly why: 'cancelled' | 'deadline' | 'lease-lost' | 'process-stopping'
  constructor(why: Stop['why']) {
    super(`job stopped: ${why}`)
    this.why = why
  }
}

export function createQueue(deps: QueueDeps): Queue {
  return new DatabaseQueue(deps)
}

/** Jobs in the database; each process runs a few at once. A crash costs the lease's time, nothing else. */
class DatabaseQueue implements Queue {
  readonly #deps: QueueDeps
  readonly #me: string
  readonly #handlers = new Map<string, AnyHandler>()
  /** Kinds of jobs, by lane. */
  readonly #lanes = new Map<string, Set<string>>()
  readonly #running = new Map<string, RunningJob>()
  #timer: NodeJS.Timeout | undefined
  #isOpen = false
  #claiming: Promise<void> = Promise.resolve()

  constructor(deps: QueueDeps) {
    this.#deps = deps
    this.#me = randomHex(deps.random, 16)
  }

  handle(handlers: JobHandlers, lane = COMMON_LANE): void {
    const kinds = this.#lanes.get(lane) ?? new Set()
    this.#lanes.set(lane, kinds)
    for (const [kind, handler] of Object.entries<AnyHandler>(handlers)) {
      if (this.#handlers.has(kind)) throw new Error(`jobs of kind ${kind} have two handlers`)
      this.#handlers.set(kind, handler)
      kinds.add(kind)
    }
  }

  async add<Kind extends JobKind>(wanted: NewJob<Kind>, tx?: Tx): Promise<JobOf<Kind>> {
    const now = this.#deps.clock.now()
    const row: JobRow = {
      id: this.#deps.ids.next(),
      kind: wanted.kind,
      owner_id: wanted.ownerId,
      state: 'queued',
      payload: JSON.stringify(wanted.payload),
      progress: JSON.stringify(wanted.progress),
      cancel_requested: 0,
      lease_owner: '',
      lease_until: 0,
      attempts: 0,
      run_at: now,
      error: '',
      deadline_at: now + (wanted.deadlineMs ?? DEADLINE_MS),
      created_at: now,
      updated_at: now,
    }
    await queueStore.insert(tx ?? this.#deps.database.db, row)
    // A transaction is mostly over by then; when it is not, the next poll finds the job.
    this.#nudge(tx === undefined ? 0 : AFTER_COMMIT_MS)
    return toJob(row) as JobOf<Kind>
  }

  async byId(id: string): Promise<AnyJob | undefined> {
    const row = await queueStore.byId(this.#deps.database.db, id)
    return row && toJob(row)
  }

  async settled(id: string, withinMs: number): Promise<AnyJob> {
    const { bus } = this.#deps
    const ended = Promise.withResolvers<void>()
    const timer = setTimeout(ended.resolve, withinMs)
    const end = bus.subscribe('job.changed', ({ job }) => {
      if (job.id === id && isOver(job.state)) ended.resolve()
    })
    try {
      const now = await this.byId(id)
      if (now && isOver(now.state)) return now
      await ended.promise
      const then = await this.byId(id)
      if (!then) throw new Error('a job vanished')
      return then
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  async cancel(id: string): Promise<void> {
    const { database, clock } = this.#deps
    const change = { state: 'cancelled' as const, cancel_requested: 1, updated_at: clock.now() }
    if (await queueStore.updateIn(database.db, id, ['queued'], change)) {
      await this.#notify(id)
      return
    }
    await queueStore.updateIn(database.db, id, ['running'], { cancel_requested: 1 })
    this.#running.get(id)?.stop.abort(new Stop('cancelled'))
  }

  async rerun(id: string): Promise<boolean> {
    const { database, clock } = this.#deps
    const now = clock.now()
    const fresh = { state: 'queued' as const, cancel_requested: 0, attempts: 0, run_at: now, updated_at: now }
    const again = { ...fresh, lease_owner: '', error: '', deadline_at: now + DEADLINE_MS }
    const isBack = await queueStore.updateIn(database.db, id, ['failed', 'cancelled'], again)
    if (isBack) this.#nudge(0)
    return isBack
  }

  purge(finishedBeforeMs: number): Promise<number> {
    return queueStore.purge(this.#deps.database.db, finishedBeforeMs)
  }

  start(): void {
    this.#isOpen = true
    this.#nudge(0)
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    clearTimeout(this.#timer)
    await this.#claiming
    for (const { stop } of this.#running.values()) stop.abort(new Stop('process-stopping'))
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #nudge(delayMs: number): void {
    if (!this.#isOpen) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#claiming = this.#claiming.then(() => this.#fill()).then(() => this.#nudge(POLL_MS))
    }, delayMs)
    this.#timer.unref()
  }

  async #fill(): Promise<void> {
    try {
      for (const kinds of this.#lanes.values()) await this.#fillLane(kinds)
    } catch (thrown) {
      this.#deps.log.error({ err: thrown }, 'claiming a job failed; it will be tried again')
    }
  }

  /** Takes jobs until all workers of the lane are busy or none is due. */
  async #fillLane(kinds: ReadonlySet<string>): Promise<void> {
    const { database, clock } = this.#deps
    const isBusy = () => [...this.#running.values()].filter(({ kind }) => kinds.has(kind)).length >= WORKERS
    while (this.#isOpen && !isBusy()) {
      const now = clock.now()
      // A lease that ran out while the clock jumped, or while the database was away, must not start what runs here a second time.
      const except = [...this.#running.keys()]
      const claim = { leaseOwner: this.#me, leaseUntil: now + LEASE_MS, now, kinds: [...kinds], except }
      const row = await queueStore.claim(database.db, database.dialect, claim)
      if (!row) return
      this.#begin(row)
    }
  }

  #begin(row: JobRow): void {
    const stop = new AbortController()
    const done = this.#work(row, stop)
      .catch((thrown: unknown) => this.#deps.log.error({ err: thrown, jobId: row.id }, 'a job could not be settled'))
      .finally(() => {
        this.#running.delete(row.id)
        this.#nudge(0)
      })
    this.#running.set(row.id, { kind: row.kind, stop, done })
  }

  async #work(row: JobRow, stop: AbortController): Promise<void> {
    const { database } = this.#deps
    const handler = this.#handlers.get(row.kind)
    if (!handler) throw new Error(`no handler for jobs of kind ${row.kind}`)
    const shown = { progress: toJob(row).progress, writtenAt: -Infinity, notifiedAt: -Infinity }
    const timers = this.#watchOver(row, stop)
    const run: Run<unknown, unknown> = {
      signal: stop.signal,
      report: (progress) => this.#report(row, shown, progress),
      checkpoint: async (payload, tx) => {
        const progress = JSON.stringify(shown.progress)
        const change = { payload: JSON.stringify(payload), progress, updated_at: this.#stamp(row) }
        if (!(await queueStore.updateHeld(tx ?? database.db, row, change))) throw new Stop('lease-lost')
      },
    }
    try {
      if (row.cancel_requested === 1) throw new Stop('cancelled')
      if (row.attempts > STARTS_MAX) throw new Error('the process ended each time that the job ran')
      const progress = await handler(toJob(row) as Job as Job<never, never>, run)
      await this.#end(row, { state: 'completed', progress: JSON.stringify(progress) })
    } catch (thrown) {
      const progress = JSON.stringify(shown.progress)
      const reason: unknown = stop.signal.aborted ? stop.signal.reason : thrown
      await this.#afterFailure(row, reason, progress)
    } finally {
      timers.end()
    }
  }

  async #afterFailure(row: JobRow, thrown: unknown, progress: string): Promise<void> {
    const { clock, log } = this.#deps
    if (thrown instanceof Stop) {
      if (thrown.why === 'lease-lost') return
      // At least one stays, so that the next run knows that it is not the first.
      const attempts = Math.max(1, row.attempts - 1)
      if (thrown.why === 'process-stopping') return this.#release(row, { run_at: clock.now(), progress, attempts })
      return this.#end(row, { state: thrown.why === 'cancelled' ? 'cancelled' : 'failed', progress })
    }
    if (thrown instanceof TryLater) {
      const run_at = clock.now() + thrown.afterMs
      if (run_at < row.deadline_at) return this.#release(row, { run_at, progress, attempts: row.attempts - 1 })
    }
    const isFinal = thrown instanceof AppError || thrown instanceof TryLater || row.attempts >= ATTEMPTS_MAX
    log[isFinal ? 'warn' : 'error']({ err: thrown, jobId: row.id, kind: row.kind }, 'a job failed')
    if (isFinal) return this.#end(row, { state: 'failed', progress, error: toAppError(causeOf(thrown)).code })
    return this.#release(row, { run_at: clock.now() + BACKOFF_MS * 2 ** row.attempts, progress })
  }

  async #end(row: JobRow, change: Partial<JobRow>): Promise<void> {
    const { database, clock } = this.#deps
    const ending = { ...change, lease_owner: '', updated_at: clock.now() }
    if (change.state === 'failed') {
      const event = { jobId: row.id, kind: toJob(row).kind, ownerId: row.owner_id }
      await inTransaction(database.db, async (tx) => {
        if (await queueStore.updateHeld(tx, row, ending)) await recordEvent({ tx, clock }, 'job.failed', event)
      })
    } else {
      await queueStore.updateHeld(database.db, row, ending)
    }
    await this.#notify(row.id)
  }

  async #release(row: JobRow, change: Partial<JobRow>): Promise<void> {
    await queueStore.updateHeld(this.#deps.database.db, row, { ...change, state: 'queued', lease_owner: '' })
  }

  /** Renews the lease, notices a cancel from another process, ends what is out of time. */
  #watchOver(row: JobRow, stop: AbortController): { end(): void } {
    const { database, clock, log } = this.#deps
    const look = async (): Promise<void> => {
      const now = clock.now()
      const isHeld = await queueStore.updateHeld(database.db, row, { lease_until: now + LEASE_MS })
      if (!isHeld) stop.abort(new Stop('lease-lost'))
      else if ((await queueStore.byId(database.db, row.id))?.cancel_requested === 1) stop.abort(new Stop('cancelled'))
      else if (now > row.deadline_at) stop.abort(new Stop('deadline'))
    }
    const timer = setInterval(() => {
      look().catch((thrown: unknown) => log.warn({ err: thrown, jobId: row.id }, 'renewing a lease failed'))
    }, LEASE_MS / 10)
    return { end: () => clearInterval(timer) }
  }

  #report(row: JobRow, shown: { progress: unknown; writtenAt: number; notifiedAt: number }, progress: unknown): void {
    const { database, clock, bus, log } = this.#deps
    shown.progress = progress
    const now = clock.monotonic()
    if (now - shown.notifiedAt >= NOTIFY_EVERY_MS) {
      shown.notifiedAt = now
      bus.publish('job.changed', { job: toJob({ ...row, progress: JSON.stringify(progress) }) })
    }
    if (now - shown.writtenAt < WRITE_EVERY_MS) return
    shown.writtenAt = now
    queueStore
      .noteProgress(database.db, row, { progress: JSON.stringify(progress), updated_at: this.#stamp(row) })
      .catch((thrown: unknown) => log.warn({ err: thrown, jobId: row.id }, 'writing down progress failed'))
  }

  /** The time of a run's next write. It grows from write to write, so that a late one is known by it. */
  #stamp(row: JobRow): number {
    row.updated_at = Math.max(this.#deps.clock.now(), row.updated_at + 1)
    return row.updated_at
  }

  async #notify(id: string): Promise<void> {
    const job = await this.byId(id)
    if (job) this.#deps.bus.publish('job.changed', { job })
  }
}

/** What a job that waited in vain waited for. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof TryLater ? (thrown.cause ?? thrown) : thrown
}

export function isOver(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}
