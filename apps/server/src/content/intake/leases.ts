import { setTimeout as wait } from 'node:timers/promises'
import type { Clock, Millis } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import { inTransaction, type Database, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { leasesStore, type LeaseSubject, type Span } from './leases.store.ts'

/** Every byte of a subject. */
export const WHOLE: Span = { start: 0, end: Number.MAX_SAFE_INTEGER }

export interface Lease {
  /** Ascending for each subject: a greater one was granted later. 0 where one process is alone. */
  readonly fence: number
  /** Aborted when another node takes these bytes over, or when the lease could not be renewed. */
  readonly signal: AbortSignal
}

export interface LeaseRequest {
  readonly subject: LeaseSubject
  readonly span: Span
  /**
   * write: takes bytes over from other writers; refused while somebody publishes.
   * publish: takes bytes over from writers and waits for another publisher.
   */
  readonly work: 'write' | 'publish'
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/**
 * Makes sure that of several nodes one writes the same bytes and one publishes. Within one process that is the business
 * of `LiveUpload`.
 */
export interface Leases {
  /** Other nodes may write to the same uploads. */
  readonly isShared: boolean
  /** @throws AppError UPLOAD_BUSY while another node publishes, UPLOAD_NOT_FOUND when the subject is gone */
  run<T>(request: LeaseRequest, work: (lease: Lease) => Promise<T>): Promise<T>
  /** Runs `work` unless another node works on the subject right now. @returns undefined when it does, or when it is gone */
  attempt<T>(subject: LeaseSubject, work: (lease: Lease) => Promise<T>): Promise<T | undefined>
  /** Grants a lease on a subject that this transaction makes. @returns runs the work of the lease, after the commit */
  grant(tx: Tx, subject: LeaseSubject): Promise<<T>(work: () => Promise<T>) => Promise<T>>
  /** Whether the lease still holds; it then holds until the transaction ends. */
  confirm(tx: Tx, subjectId: string, fence: number): Promise<boolean>
}

const NEVER = new AbortController().signal

/** For a process that is alone with its database. */
export const unsharedLeases: Leases = {
  isShared: false,
  run: (_request, work) => work({ fence: 0, signal: NEVER }),
  attempt: (_subject, work) => work({ fence: 0, signal: NEVER }),
  grant: () => Promise.resolve((work) => work()),
  confirm: () => Promise.resolve(true),
}

/** A node that is silent for this long has lost what it held. Far more than an ordinary pause of a process or a database. */
const EXPIRY_MS = 15_000
const BEAT_MS = 1_000
const RETRY_MS = 100

export interface SharedLeasesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Id of this process, another one after each start. */
  readonly owner: string
  /** How soon this node notices that another one wants bytes it is writing. */
  readonly beatMs?: number
}

interface Granted {
  readonly subjectId: string
  readonly fence: number
}

interface Held extends Granted {
  readonly controller: AbortController
}

/** Leases as rows of a database that several nodes share. */
export class SharedLeases implements Leases {
  readonly isShared = true
  readonly #deps: SharedLeasesDeps
  readonly #held = new Set<Held>()
  /** Given up here, and still in the database, where each beat would renew them: the deletion failed. */
  readonly #kept = new Set<Granted>()
  #timer: NodeJS.Timeout | undefined
  #isBeating = false
  #renewedAt: Millis

  constructor(deps: SharedLeasesDeps) {
    this.#deps = deps
    this.#renewedAt = deps.clock.monotonic()
  }

  async run<T>(request: LeaseRequest, work: (lease: Lease) => Promise<T>): Promise<T> {
    for (;;) {
      const fence = await this.#take(request)
      if (fence !== undefined) return this.#holding({ subjectId: request.subject.id, fence }, work)
      request.signal?.throwIfAborted()
      await wait(RETRY_MS)
    }
  }

  async attempt<T>(subject: LeaseSubject, work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    const fence = await this.#take({ subject, span: WHOLE, work: 'publish' }).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'UPLOAD_NOT_FOUND') return undefined
      throw thrown
    })
    return fence === undefined ? undefined : this.#holding({ subjectId: subject.id, fence }, work)
  }

  async grant(tx: Tx, subject: LeaseSubject): Promise<<T>(work: () => Promise<T>) => Promise<T>> {
    const fence = await leasesStore.nextFence(tx, subject)
    if (fence === undefined) throw new Error('a lease on a subject that was not made')
    await this.#insert(tx, { subject, span: WHOLE, work: 'publish' }, fence)
    return (work) => this.#holding({ subjectId: subject.id, fence }, work)
  }

  confirm(tx: Tx, subjectId: string, fence: number): Promise<boolean> {
    return leasesStore.lock(tx, subjectId, fence)
  }

  /** @returns undefined while others have to let go first */
  #take(request: LeaseRequest): Promise<number | undefined> {
    const { database } = this.#deps
    const { subject, span, work } = request
    return inTransaction(database.db, async (tx) => {
      // First, because it locks the subject: everything below is then decided by one node at a time.
      const fence = await leasesStore.nextFence(tx, subject)
      if (fence === undefined) throw new AppError('UPLOAD_NOT_FOUND')
      const now = await leasesStore.now(tx, database.dialect)
      const others = await leasesStore.overlapping(tx, subject.id, span)
      const dead = others.filter((row) => Number(row.expires_at) <= now)
      if (dead.length > 0) await leasesStore.remove(tx, subject.id, fencesOf(dead))
      const rivals = others.filter((row) => !dead.includes(row))
      if (rivals.length === 0) {
        await this.#insert(tx, request, fence)
        return fence
      }
      const isPublishing = rivals.some((row) => row.work === 'publish')
      if (isPublishing && work === 'write') throw new AppError('UPLOAD_BUSY')
      if (!isPublishing) await leasesStore.revoke(tx, subject.id, fencesOf(rivals))
      return undefined
    })
  }

  async #insert(tx: Tx, { subject, span, work }: LeaseRequest, fence: number): Promise<void> {
    const { database, owner } = this.#deps
    await leasesStore.insert(tx, {
      subject_id: subject.id,
      fence,
      work,
      start_at: span.start,
      end_at: span.end,
      owner,
      is_revoked: 0,
      expires_at: Math.ceil((await leasesStore.now(tx, database.dialect)) + EXPIRY_MS),
    })
  }

  async #holding<T>({ subjectId, fence }: Granted, work: (lease: Lease) => Promise<T>): Promise<T> {
    const held = { subjectId, fence, controller: new AbortController() }
    if (this.#held.size === 0) this.#renewedAt = this.#deps.clock.monotonic()
    this.#held.add(held)
    this.#timer ??= this.#startBeating()
    try {
      return await work({ fence, signal: held.controller.signal })
    } finally {
      this.#held.delete(held)
      if (this.#held.size === 0) this.#stopBeating()
      await this.#letGo({ subjectId, fence })
    }
  }

  async #letGo(granted: Granted): Promise<void> {
    const { subjectId, fence } = granted
    try {
      await leasesStore.remove(this.#deps.database.db, subjectId, [fence])
      this.#kept.delete(granted)
    } catch (thrown) {
      this.#kept.add(granted)
      this.#deps.log.warn({ err: thrown, subjectId }, 'a lease was not given back: the next beat does, or it expires')
    }
  }

  #startBeating(): NodeJS.Timeout {
    const timer = setInterval(() => {
      if (this.#isBeating) return
      this.#isBeating = true
      this.#beat()
        .catch((thrown: unknown) => this.#missBeat(thrown))
        .finally(() => (this.#isBeating = false))
    }, this.#deps.beatMs ?? BEAT_MS)
    timer.unref()
    return timer
  }

  #stopBeating(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Renews what is held, and ends the work of what is not held any more or wanted by another node. */
  async #beat(): Promise<void> {
    const { database, clock, owner } = this.#deps
    const known = [...this.#held]
    for (const granted of [...this.#kept]) await this.#letGo(granted)
    const begunAt = clock.monotonic()
    const rows = await inTransaction(database.db, async (tx) => {
      const expiresAt = Math.ceil((await leasesStore.now(tx, database.dialect)) + EXPIRY_MS)
      await leasesStore.renew(tx, owner, expiresAt)
      return leasesStore.ofOwner(tx, owner)
    })
    this.#renewedAt = begunAt
    for (const held of known) {
      const row = rows.find((one) => one.subject_id === held.subjectId && Number(one.fence) === held.fence)
      if (row === undefined || row.is_revoked === 1) held.controller.abort(new AppError('UPLOAD_BUSY'))
    }
  }

  #missBeat(thrown: unknown): void {
    const { clock, log } = this.#deps
    log.warn({ err: thrown }, 'leases of uploads were not renewed')
    if (clock.monotonic() - this.#renewedAt < EXPIRY_MS) return
    for (const { controller } of this.#held) {
      controller.abort(new AppError('DATABASE_UNAVAILABLE', undefined, { cause: thrown }))
    }
  }
}

function fencesOf(rows: ReadonlyArray<{ readonly fence: number }>): number[] {
  return rows.map(({ fence }) => Number(fence))
}
