import { sql } from 'kysely'
import type { Log } from '../context.ts'
import { databaseNow, type Database, type Db } from '../db/index.ts'
import type { BusCarrier } from './bus.ts'
import { createSeqWindow } from './seq-window.ts'

export interface SqlCarrierDeps {
  readonly database: Database
  readonly nodeId: string
  readonly log: Pick<Log, 'warn'>
}

const POLL_MS = 250
const BATCH = 500
/** Texts are kept so long; a node that did not look for nearly as long may have missed some. */
const KEPT_MS = 60_000
const GAP_MS = 45_000
const PRUNE_MS = 20_000

/** A small table that every node looks at four times a second. One piece: all of it works on one window of numbers. */
export function createSqlCarrier({ database: { db, dialect }, nodeId, log }: SqlCarrierDeps): BusCarrier {
  const now = databaseNow(dialect)
  let timer: NodeJS.Timeout | undefined
  let window = createSeqWindow(0)
  let receive = (_text: string): void => undefined
  let onGap = (): void => undefined
  let looking: Promise<void> = Promise.resolve()
  let polling: Promise<void> = Promise.resolve()
  let isStopped = false
  let prunedAt = 0
  let lookedAt = 0

  async function look(): Promise<void> {
    let after = window.floor
    for (;;) {
      const rows = await db
        .selectFrom('bus_messages')
        .select(['seq', 'node', 'text'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(BATCH)
        .execute()
      const fresh = rows.filter(({ seq }) => window.add(seq, performance.now()))
      for (const { node, text } of fresh) if (node !== nodeId) receive(text)
      window.advance(performance.now())
      if (rows.length < BATCH) break
      after = rows.at(-1)?.seq ?? after
    }
    lookedAt = performance.now()
  }

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < PRUNE_MS) return
    prunedAt = performance.now()
    await db
      .deleteFrom('bus_messages')
      .where('created_at', '<', sql<number>`${now} - ${KEPT_MS}`)
      .execute()
  }

  /** One look at a time: two would see the same rows. */
  function lookNext(): Promise<void> {
    looking = looking.catch(() => undefined).then(look)
    return looking
  }

  async function poll(): Promise<void> {
    try {
      if (performance.now() - lookedAt > GAP_MS) onGap()
      await lookNext()
      await prune()
    } catch (thrown) {
      log.warn({ err: thrown }, 'signals of other nodes could not be read; it will be tried again')
    }
    if (isStopped) return
    timer = setTimeout(() => void (polling = poll()), POLL_MS).unref()
  }

  return {
    async start(onText, onInterruption) {
      window = createSeqWindow(await lastSeq(db))
      receive = onText
      onGap = onInterruption
      lookedAt = performance.now()
      polling = poll()
    },
    async send(text) {
      await db.insertInto('bus_messages').values({ node: nodeId, text, created_at: now }).execute()
    },
    catchUp: lookNext,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await polling
    },
  }
}

async function lastSeq(db: Db): Promise<number> {
  const last = await db
    .selectFrom('bus_messages')
    .select((row) => row.fn.max('seq').as('seq'))
    .executeTakeFirst()
  return Number(last?.seq ?? 0)
}
