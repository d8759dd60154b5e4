import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../kernel/db/index.ts'

/** MariaDB answers about transactions from a copy, which it makes anew only when nobody looked for a tenth of a second. */
const LOOK_MS = 300

/**
 * Two changes at once, on MariaDB: the first one ends when the second one has, or waits for it.
 * @param first calls what it is given in its transaction, after its last read
 */
export async function atOnce(
  db: Db,
  first: (pause: () => Promise<void>) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<Array<PromiseSettledResult<unknown>>> {
  const [isUnderWay, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const one = first(async () => {
    isUnderWay.resolve()
    await mayEnd.promise
  })
  await Promise.race([isUnderWay.promise, one])
  let isOver = false
  const two = second().finally(() => (isOver = true))
  const outcomes = Promise.allSettled([one, two])
  await expect.poll(async () => isOver || (await isSomebodyWaiting(db)), { interval: LOOK_MS }).toBe(true)
  mayEnd.resolve()
  return outcomes
}

async function isSomebodyWaiting(db: Db): Promise<boolean> {
  const waiting = sql<{ n: number }>`select count(*) n from information_schema.innodb_trx
    join information_schema.processlist on id = trx_mysql_thread_id where trx_state = 'LOCK WAIT' and db = database()`
  return Number((await waiting.execute(db)).rows[0]?.n) > 0
}
