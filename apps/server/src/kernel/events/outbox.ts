import type { Clock } from '@godwit/base'
import type { Db, Tx } from '../db/index.ts'
import type { Log } from '../context.ts'

/**
 * Durable events, by type. A feature adds its own by declaration merging. An event commits together with the change it
 * tells of and is delivered at least once, in order of commit: subscribers are idempotent.
 */
export interface DurableEvents {
  /** A file became visible. */
  readonly 'file.committed': {
    readonly userId: string
    readonly spaceId: number
    readonly path: string
    readonly size: number
  }
}

export type DurableEventType = keyof DurableEvents
type Handler<Type extends DurableEventType> = (payload: DurableEvents[Type]) => Promise<void>

/** Writes an event down within the transaction of what it tells of. For those who have no {@link Outbox} at hand. */
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

const BATCH = 200
/** Values a statement may bind: SQLite allows 32,766. */
const ROWS_PER_STATEMENT = 1000
const IDLE_MS = 1_000

export interface Outbox {
  add<Type extends DurableEventType>(tx: Tx | Db, type: Type, payload: DurableEvents[Type]): Promise<void>
  /** Many of one type, in the order given. */
  addAll<Type extends DurableEventType>(
    tx: Tx | Db,
    type: Type,
    payloads: ReadonlyArray<DurableEvents[Type]>,
  ): Promise<void>
  on<Type extends DurableEventType>(type: Type, handler: Handler<Type>): void
  /** Delivers soon what was committed; call after the transaction. */
  nudge(): void
  start(): void
  /** Resolves when the delivery under way has ended. */
  stop(): Promise<void>
}

interface OutboxDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** One piece: every function of it works on the one timer and the one delivery under way. */
export function createOutbox({ db, clock, log }: OutboxDeps): Outbox {
  const handlers = new Map<string, Array<(payload: never) => Promise<void>>>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = true

  async function addAll(tx: Tx | Db, type: string, payloads: readonly unknown[]): Promise<void> {
    for (let at = 0; at < payloads.length; at += ROWS_PER_STATEMENT) {
      const rows = payloads.slice(at, at + ROWS_PER_STATEMENT)
      const created_at = clock.now()
      await tx
        .insertInto('outbox')
        .values(rows.map((payload) => ({ type, payload: JSON.stringify(payload), created_at })))
        .execute()
    }
  }

  async function deliverBatch(): Promise<number> {
    const rows = await db.selectFrom('outbox').selectAll().orderBy('seq').limit(BATCH).execute()
    const delivered: number[] = []
    try {
      for (const row of rows) {
        const payload = JSON.parse(row.payload) as never
        for (const handler of handlers.get(row.type) ?? []) await handler(payload)
        delivered.push(row.seq)
      }
    } finally {
      // One flush for the batch. Whatever a crash leaves is delivered again, which subscribers must bear anyway.
      // By name, not "up to": a transaction that began earlier may commit a lower number only now.
      if (delivered.length > 0) await db.deleteFrom('outbox').where('seq', 'in', delivered).execute()
    }
    return rows.length
  }

  async function drain(): Promise<void> {
    try {
      while (!stopped && (await deliverBatch()) === BATCH);
    } catch (thrown) {
      // The row stays first in line and is tried again: order of delivery matters more than speed after a fault.
      log.error({ err: thrown }, 'event delivery failed; it will be tried again')
    }
  }

  function schedule(delayMs: number): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(drain).then(() => schedule(IDLE_MS))
    }, delayMs)
    timer.unref()
  }

  return {
    add: (tx, type, payload) => recordEvent({ tx, clock }, type, payload),
    addAll,
    on(type, handler) {
      handlers.set(type, [...(handlers.get(type) ?? []), handler])
    },
    nudge: () => schedule(0),
    start() {
      stopped = false
      schedule(0)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
