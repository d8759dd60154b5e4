import { launchMariadb, type Mariadb } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toAppError } from '../errors.ts'
import { connectDatabase, inTransaction, migrateToLatest, type Database } from './index.ts'
import { MIGRATIONS } from '../../migrations/index.ts'

const CALLERS = 20
/** Only bounds a hanging test. */
const PATIENT = { timeout: 60_000, interval: 50 }

describe('a MariaDB that ends and comes back', () => {
  let mariadb: Mariadb
  let database: Database

  beforeAll(async () => {
    mariadb = await launchMariadb()
    database = connectDatabase(await mariadb.database('restarts'))
    await migrateToLatest(database, MIGRATIONS)
  })
  afterAll(async () => {
    await database.close()
    await mariadb.stop()
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s in the middle of statements is answered 503, never 500',
    async (signal) => {
      const codes = new Map<string, number>()
      let isOver = false
      const callers = Array.from({ length: CALLERS }, async (_, at) => {
        while (!isOver) {
          const code = await (at % 2 === 0 ? read() : write()).then(
            () => 'ok',
            (thrown: unknown) => toAppError(thrown).code,
          )
          codes.set(code, (codes.get(code) ?? 0) + 1)
        }
      })
      await expect.poll(() => codes.get('ok') ?? 0, PATIENT).toBeGreaterThan(CALLERS)
      await mariadb.down(signal)
      await expect.poll(() => codes.get('DATABASE_UNAVAILABLE') ?? 0, PATIENT).toBeGreaterThan(CALLERS)
      await mariadb.up()
      codes.delete('ok')
      await expect.poll(() => codes.get('ok') ?? 0, PATIENT).toBeGreaterThan(CALLERS)
      isOver = true
      await Promise.all(callers)
      expect([...codes.keys()].toSorted()).toEqual(['DATABASE_UNAVAILABLE', 'ok'])
    },
  )

  const read = () => database.db.selectFrom('facts').selectAll().execute()
  const write = () =>
    inTransaction(database.db, async (tx) => {
      await tx.deleteFrom('facts').where('name', '=', 'restarts').execute()
      await tx.insertInto('facts').values({ name: 'restarts', value: 'x' }).execute()
    })
})
