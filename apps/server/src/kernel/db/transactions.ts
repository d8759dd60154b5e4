import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '@godwit/base'
import { CONNECTIONS, type Db, type Tx } from './connect.ts'
import { driverCode } from './failures.ts'

/** MySQL chose this transaction as the victim of a lock; nothing of it was kept, so it may run again. SQLite waits at `begin`. */
const CONTENTION = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'])
const TRIES = 8

/**
 * Transactions of one database at a time. The other connections are for what is read beside them, such as a setting whose cache
 * ran out: were all of them taken by transactions that await such a read, none would ever end.
 */
const MOST_AT_ONCE = CONNECTIONS - 2
const places = new WeakMap<Db, Semaphore>()

/**
 * Runs `work` in a transaction, and again when it lost a deadlock. `work` must have no other effects.
 * @param db within a transaction already, `work` is part of it
 */
export async function inTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  for (let attempt = 1; ; attempt++) {
    try {
      return await placesOf(db).run(() => db.transaction().execute(work))
    } catch (thrown) {
      if (attempt === TRIES || !CONTENTION.has(driverCode(thrown))) throw thrown
      // Those that met once would meet again, so each waits for another while.
      await sleep(randomInt(2 ** attempt))
    }
  }
}

function placesOf(db: Db): Semaphore {
  const known = places.get(db)
  if (known !== undefined) return known
  const made = new Semaphore(MOST_AT_ONCE)
  places.set(db, made)
  return made
}

/** A unique key refused an insert. */
export function isDuplicate(thrown: unknown): boolean {
  return ['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(driverCode(thrown))
}
