import { randomHex, secureRandom, type Clock } from '@godwit/base'
import type { Db, Tx } from '../db/index.ts'
import type { Log } from '../context.ts'
import type { Bus } from './bus.ts'
import { createOutboxStore, type OutboxStore } from './outbox.store.ts'
import { Subscriber, type RetryRule } from './subscriber.ts'

/**
 * Durable events, by type. A feature adds its own by declaration merging. An event commits together with the change it
 * reports and is delivered to each subscriber in order of commit.
 */
export interface DurableEvents {}

export type DurableEventType = keyof DurableEvents

/** Records an event within the transaction of what it reports. For those who have no {@link Outbox} at hand. */
export async function recordEvent<Type extends DurableEventType>(
  { tx, clock }: { readonly tx: Tx | Db; readonly clock: Clock },
  type: Type,
  payload: DurableEvents[Type],
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ type, payload: JSON.stringify(payload), created_at: clock.now() })
    .execute()
}

/** Values a statement may bind: SQLite allows 32,766. */
const ROWS_PER_STATEMENT = 1000

/** Idempotent: after a crash an event is delivered again. */
interface PlainSubscription<Type extends DurableEventType> {
  /** Its name for ever: how far it has come is kept under it. Of a new one, delivery begins with the next event. */
  readonly subscriber: string
  readonly handle: (payload: DurableEvents[Type]) => Promise<void>
}

/** What it writes with `tx` commits together with the mark that the event is handled: once, whatever dies in between. */
interface TransactionalSubscription<Type extends DurableEventType> {
  readonly subscriber: string
  readonly handleWithin: (payload: DurableEvents[Type], tx: Tx) => Promise<void>
}

/** An event of any type, for who handles several types together. */
export type AnyDurableEvent = {
  readonly [Type in DurableEventType]: { readonly type: Type; readonly payload: DurableEvents[Type] }
}[DurableEventType]

/** As {@link TransactionalSubscription}, many in one transaction: all types that a subscriber gives the same function to. */
interface BatchSubscription {
  readonly subscriber: string
  readonly handleManyWithin: (events: readonly AnyDurableEvent[], tx: Tx) => Promise<void>
}

/**
 * What is done with events of a type. A subscriber of several types gets them in one line. Each line stands for itself: one
 * that fails or is slow holds up nobody else. An event that keeps failing is parked after some tries, and the line goes on.
 */
export type Subscription<Type extends DurableEventType> =
  | PlainSubscription<Type>
  | TransactionalSubscription<Type>
  | BatchSubscription

export interface Outbox {
  add<Type extends DurableEventType>(tx: Tx | Db, type: Type, payload: DurableEvents[Type]): Promise<void>
  /** Many of one type, in the order given. */
  addAll<Type extends DurableEventType>(
    tx: Tx | Db,
    type: Type,
    payloads: ReadonlyArray<DurableEvents[Type]>,
  ): Promise<void>
  /** Before the start only. @throws Error when the subscriber has the type already */
  on<Type extends DurableEventType>(type: Type, subscription: Subscription<Type>): void
  /** Delivers soon what was committed; call after the transaction. */
  nudge(): void
  /** Resolves when the subscribers are known to the database: what is committed from then on is delivered to them. */
  start(): Promise<void>
  /** Resolves when the deliveries under way have ended. */
  stop(): Promise<void>
}

export interface OutboxDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** Wakes the other nodes. */
  readonly bus?: Bus
  /** How long a dead node keeps its subscribers. Default 10 s. */
  readonly leaseMs?: number
  readonly retries?: RetryRule
}

/** Events of other nodes are found at the latest after this long, also when a signal is lost. */
const LOOK_MS = 1_000
const REGISTER_MS = 10 * 60_000
const LEASE_MS = 10_000
/** A try every time the wait has doubled, about half a minute long. */
const RETRIES: RetryRule = { triesMax: 8, firstWaitMs: 250 }

export function createOutbox(deps: OutboxDeps): Outbox {
  return new DatabaseOutbox(deps)
}

/** Events in the database. Every node gives places to new ones and wakes subscribers; which node delivers, leases decide. */
class DatabaseOutbox implements Outbox {
  readonly #deps: OutboxDeps
  readonly #store: OutboxStore
  readonly #owner = randomHex(secureRandom, 16)
  readonly #subscribers = new Map<string, Subscriber>()
  #head = -1
  #prunedTo = -1
  #registeredAt = 0
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isOpen = false
  #unsubscribe = (): unknown => undefined

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.#store = createOutboxStore(deps.db)
  }

  add<Type extends DurableEventType>(tx: Tx | Db, type: Type, payload: DurableEvents[Type]): Promise<void> {
    return recordEvent({ tx, clock: this.#deps.clock }, type, payload)
  }

  async addAll(tx: Tx | Db, type: DurableEventType, payloads: readonly unknown[]): Promise<void> {
    for (let at = 0; at < payloads.length; at += ROWS_PER_STATEMENT) {
      const rows = payloads.slice(at, at + ROWS_PER_STATEMENT)
      const created_at = this.#deps.clock.now()
      await tx
        .insertInto('outbox')
        .values(rows.map((payload) => ({ type, payload: JSON.stringify(payload), created_at })))
        .execute()
    }
  }

  on<Type extends DurableEventType>(type: Type, { subscriber, ...handler }: Subscription<Type>): void {
    const { db, log, leaseMs = LEASE_MS, retries = RETRIES } = this.#deps
    const known = this.#subscribers.get(subscriber)
    const line =
      known ?? new Subscriber(subscriber, { db, log, leaseMs, retries, owner: this.#owner, store: this.#store })
    this.#subscribers.set(subscriber, line)
    line.add(type, handler)
  }

  nudge(): void {
    this.#lookAfter(0)
  }

  async start(): Promise<void> {
    await this.#register()
    this.#isOpen = true
    const onAdded = this.#deps.bus?.subscribe('outbox.added', (_payload, origin) => {
      if (origin === 'elsewhere') this.nudge()
    })
    this.#unsubscribe = onAdded ?? this.#unsubscribe
    this.nudge()
  }

  async stop(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.#unsubscribe()
    await this.#looking
    await Promise.all([...this.#subscribers.values()].map((subscriber) => subscriber.stop()))
    try {
      await this.#store.release(this.#owner)
    } catch (thrown) {
      // Other nodes wait until the leases run out.
      this.#deps.log.warn({ err: thrown }, 'the leases on events were not released')
    }
  }

  #lookAfter(delayMs: number): void {
    if (!this.#isOpen) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#looking = this.#looking.then(() => this.#look()).then(() => this.#lookAfter(LOOK_MS))
    }, delayMs)
    this.#timer.unref()
  }

  async #register(): Promise<void> {
    this.#registeredAt = performance.now()
    await this.#store.register([...this.#subscribers.keys()])
  }

  async #look(): Promise<void> {
    try {
      if (performance.now() - this.#registeredAt > REGISTER_MS) await this.#register()
      const placed = await this.#store.sequence()
      if (placed.size > 0) this.#deps.bus?.publish('outbox.added', {})
      await this.#wakeAll(placed)
    } catch (thrown) {
      this.#deps.log.error({ err: thrown }, 'looking for events failed; it will be tried again')
    }
  }

  async #wakeAll(placed: ReadonlySet<string>): Promise<void> {
    const head = await this.#store.head()
    const isNews = head > this.#head
    for (const subscriber of this.#subscribers.values()) {
      if (subscriber.types.some((type) => placed.has(type)) || isNews) subscriber.wake()
    }
    this.#head = head
    for (const { subscriber } of await this.#store.toRetry([...this.#subscribers.keys()])) {
      this.#subscribers.get(subscriber)?.retryParked()
    }
    if (isNews || this.#prunedTo >= head) return
    // Nothing new since the last look: time to tidy up.
    for (const { name, types } of this.#subscribers.values()) await this.#store.skip(name, types, head)
    this.#prunedTo = await this.#store.prune()
  }
}
