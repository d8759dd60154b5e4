import { launchMariadb, type Mariadb } from '@godwit/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONNECTIONS, connectDatabase, inTransaction, type Database } from './index.ts'

describe('transactions on MariaDB', () => {
  let mariadb: Mariadb
  let database: Database

  beforeAll(async () => {
    mariadb = await launchMariadb()
    database = connectDatabase(await mariadb.database('transactions'))
  })
  afterAll(async () => {
    await database.close()
    await mariadb.stop()
  })

  it('leave connections for what they read beside themselves, however many there are', async () => {
    const one = sql<{ one: number }>`select 1 as one`
    let running = 0
    let most = 0
    const work = () =>
      inTransaction(database.db, async (tx) => {
        most = Math.max(most, ++running)
        await one.execute(tx)
        const { rows } = await one.execute(database.db)
        running--
        return rows
      })
    const answers = await Promise.all(Array.from({ length: 3 * CONNECTIONS }, work))
    expect(new Set(answers.flat().map((row) => row.one))).toEqual(new Set([1]))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThan(CONNECTIONS)
  })
})
