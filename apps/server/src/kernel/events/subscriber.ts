import type { Log } from '../context.ts'
import { databaseFailure, inTransaction, type Db, type Tx } from '../db/index.ts'
import type { Holder } from './outbox.cursors.ts'
import type { EventRow } from './outbox.order.ts'
import type { ParkedRow } from './outbox.parked.ts'
import type { OutboxStore } from './outbox.store.ts'

/** Either kind of handler of one type, with its payload parsed. */
export type EventHandler =
  | { readonly handle: (payload: never) => Promise<void> }
  | { readonly handleWithin: (payload: never, tx: Tx) => Promise<void> }
  | { readonly handleManyWithin: HandleMany }

type HandleMany = (events: readonly never[], tx: Tx) => Promise<void>

export interface SubscriberDeps {
  readonly db: Db
  readonly store: OutboxStore
  readonly log: Log
  readonly owner: string
  readonly leaseMs: number
  readonly retries: RetryRule
}

export interface RetryRule {
  /** Failed tries after which an event is parked. */
  readonly triesMax: number
  /** Before the second try; doubled before each further one. */
  readonly firstWaitMs: number
}

const BATCH = 200
/** How far a subscriber has come is written down this often: each write is a flush to the disk. */
const MARK_MS = 200
/** While the database is away, which is nobody's failed try, or another node delivers. */
const LOOK_AGAIN_MS = 1_000

class LeaseLost extends Error {}

/** Delivers events to one subscriber, in order, while this node holds its lease. Subscribers do not wait for each other. */
export class Subscriber {
  readonly name: string
  readonly #deps: SubscriberDeps
  readonly #holder: Holder
  readonly #handlers = new Map<string, EventHandler>()
  #running: Promise<void> | undefined
  #isWoken = false
  #isStopping = false
  #isRetryWanted = false
  #timer: NodeJS.Timeout | undefined

  constructor(name: string, deps: SubscriberDeps) {
    this.name = name
    this.#deps = deps
    this.#holder = { subscriber: name, owner: deps.owner }
  }

  get types(): readonly string[] {
    return [...this.#handlers.keys()]
  }

  add(type: string, handler: EventHandler): void {
    if (this.#handlers.has(type)) throw new Error(`${this.name} subscribes to ${type} twice`)
    this.#handlers.set(type, handler)
  }

  /** Delivers what is there, soon. */
  wake(): void {
    if (this.#isStopping) return
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#isWoken) this.wake()
    })
  }

  /** Tries parked events again that somebody asked for. */
  retryParked(): void {
    this.#isRetryWanted = true
    this.wake()
  }

  /** Resolves when the delivery under way has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    const { store, leaseMs, log } = this.#deps
    const renewal = setInterval(() => {
      store
        .renew(this.#holder, leaseMs)
        .catch((thrown: unknown) => log.warn({ err: thrown }, 'a lease was not renewed'))
    }, leaseMs / 3)
    try {
      while (this.#isWoken && !this.#isStopping) {
        this.#isWoken = false
        await this.#deliverAll()
      }
    } catch (thrown) {
      this.#wakeAfter(LOOK_AGAIN_MS)
      if (!(thrown instanceof LeaseLost)) {
        log.error({ err: thrown, subscriber: this.name }, 'events were not delivered; it will be tried again')
      }
    } finally {
      clearInterval(renewal)
    }
  }

  #wakeAfter(waitMs: number): void {
    clearTimeout(this.#timer)
    if (!this.#isStopping) this.#timer = setTimeout(() => this.wake(), waitMs).unref()
  }

  async #deliverAll(): Promise<void> {
    const { store, leaseMs, retries } = this.#deps
    // A lease is taken for something only: each one that runs out counts as a failed try.
    if (!this.#isRetryWanted && !(await store.hasNext(this.name, this.types))) return
    const cursor = await store.acquire(this.#holder, leaseMs)
    if (cursor === undefined) {
      // Another node is at it; or it died, and its lease runs out.
      this.#wakeAfter(LOOK_AGAIN_MS)
      return
    }
    await this.#retryAllParked()
    if (cursor.waitMs > 0) {
      this.#wakeAfter(cursor.waitMs)
      return
    }
    let { position, attempts } = cursor
    if (attempts >= retries.triesMax) {
      const [row] = await store.batch(position, this.types, 1)
      if (row) await store.park(this.#holder, row, { error: 'the process ended while it was handled', attempts })
      this.#isWoken = true
      return
    }
    for (;;) {
      // After a failure one by one, so that a crash is blamed on the event that caused it.
      const limit = attempts > 0 ? 1 : BATCH
      const rows = await store.batch(position, this.types, limit)
      const last = rows.at(-1)
      if (last === undefined || !(await this.#deliver(rows, attempts))) return
      attempts = 0
      position = last.position
    }
  }

  /** @returns false when it must wait */
  async #deliver(rows: readonly EventRow[], attempts: number): Promise<boolean> {
    let handled: EventRow | undefined
    let markedAt = performance.now()
    for (const together of this.#batches(rows)) {
      const [row] = together
      if (this.#isStopping || row === undefined) break
      try {
        const isMarked = await this.#handleTogether(together)
        handled = isMarked ? undefined : row
      } catch (thrown) {
        await this.#mark(handled)
        return this.#afterFailure(row, thrown, row === rows[0] ? attempts + 1 : 1)
      }
      if (performance.now() - markedAt > MARK_MS) {
        await this.#mark(handled)
        handled = undefined
        markedAt = performance.now()
      }
    }
    await this.#mark(handled)
    return !this.#isStopping
  }

  async #mark(handled: EventRow | undefined): Promise<void> {
    const { db, store } = this.#deps
    if (handled !== undefined && !(await store.advance(db, this.#holder, handled.position))) throw new LeaseLost()
  }

  /** Events that one call handles, in order: each by itself unless its handler takes many. */
  #batches(rows: readonly EventRow[]): EventRow[][] {
    const batches: EventRow[][] = []
    let many: HandleMany | undefined
    for (const row of rows) {
      const before = many
      many = this.#manyOf(row)
      if (many !== undefined && many === before) batches.at(-1)?.push(row)
      else batches.push([row])
    }
    return batches
  }

  #manyOf({ type }: EventRow): HandleMany | undefined {
    const handler = this.#handlers.get(type)
    return handler !== undefined && 'handleManyWithin' in handler ? handler.handleManyWithin : undefined
  }

  /** @returns false when it still must be marked as handled */
  async #handleTogether(rows: readonly EventRow[]): Promise<boolean> {
    const { db, store } = this.#deps
    const last = rows.at(-1)
    const handler = last && this.#handlers.get(last.type)
    if (last === undefined || handler === undefined) return false
    if ('handle' in handler) {
      await handler.handle(JSON.parse(last.payload) as never)
      return false
    }
    await inTransaction(db, async (tx) => {
      if (!(await store.advance(tx, this.#holder, last.position))) throw new LeaseLost()
      await handleWithin(handler, rows, tx)
    })
    return true
  }

  /** @returns true when the line goes on: the event was put aside */
  async #afterFailure(row: EventRow, thrown: unknown, attempts: number): Promise<boolean> {
    const { store, log, retries } = this.#deps
    if (thrown instanceof LeaseLost) throw thrown
    if (databaseFailure(thrown) !== undefined) throw thrown
    const failure = { error: String(thrown), attempts }
    const fields = { err: thrown, subscriber: this.name, type: row.type, position: row.position, attempts }
    if (attempts >= retries.triesMax) {
      log.error(fields, 'an event was parked: `godwit events parked` shows it')
      await store.park(this.#holder, row, failure)
      this.#isWoken = true
      return false
    }
    log.warn(fields, 'an event was not handled; it will be tried again')
    const waitMs = retries.firstWaitMs * 2 ** (attempts - 1)
    await store.fail(this.#holder, failure, waitMs)
    this.#wakeAfter(waitMs)
    return false
  }

  async #retryAllParked(): Promise<void> {
    if (!this.#isRetryWanted) return
    this.#isRetryWanted = false
    for (const row of await this.#deps.store.toRetry([this.name])) await this.#retryParked(row)
  }

  async #retryParked(row: ParkedRow): Promise<void> {
    const { db, store, log } = this.#deps
    const handler = this.#handlers.get(row.type)
    const payload = JSON.parse(row.payload) as never
    try {
      if (handler !== undefined && 'handle' in handler) await handler.handle(payload)
      await inTransaction(db, async (tx) => {
        if (!(await store.removeParked(tx, row))) return
        if (handler !== undefined && !('handle' in handler)) await handleWithin(handler, [row], tx)
      })
    } catch (thrown) {
      if (databaseFailure(thrown) !== undefined) throw thrown
      log.warn({ err: thrown, subscriber: this.name, position: row.position }, 'a parked event failed again')
      await store.failParked(row, String(thrown))
    }
  }
}

async function handleWithin(
  handler: Exclude<EventHandler, { readonly handle: unknown }>,
  rows: ReadonlyArray<Pick<EventRow, 'type' | 'payload'>>,
  tx: Tx,
): Promise<void> {
  const events = rows.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) as never }))
  if ('handleManyWithin' in handler) return handler.handleManyWithin(events as never[], tx)
  for (const { payload } of events) await handler.handleWithin(payload, tx)
}
