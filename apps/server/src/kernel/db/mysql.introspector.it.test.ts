import { mariadbUrl } from '@godwit/testkit/engines'
import { MysqlIntrospector, type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MIGRATIONS } from '../../migrations/index.ts'
import { connectDatabase, migrateToLatest, type Database } from './index.ts'
import { OwnTablesIntrospector, ownColumns, ownTables } from './mysql.introspector.ts'

let database: Database
beforeEach(async () => {
  database = connectDatabase(await mariadbUrl())
})
afterEach(async () => database.close())

it('finds what the query of Kysely finds', async () => {
  await migrateToLatest(database, MIGRATIONS)
  const { db } = database
  for (const withInternalKyselyTables of [true, false]) {
    const standard = await new MysqlIntrospector(db as never).getTables({ withInternalKyselyTables })
    const found = await new OwnTablesIntrospector(db as never).getTables({ withInternalKyselyTables })
    expect(found.length).toBeGreaterThan(100)
    expect(found).toEqual(standard.map(({ schema: _schema, ...table }) => table))
  }
  expect((await db.introspection.getTables()).length).toBeGreaterThan(100)
})

it('looks into no other database of the server', async () => {
  const plan = async (query: RawBuilder<unknown>) => {
    const { rows } = await sql<{ readonly Extra: string }>`explain ${query}`.execute(database.db)
    return rows.map(({ Extra: extra }) => extra).join()
  }
  for (const query of [ownTables, ownColumns]) expect(await plan(query)).toContain('Scanned 1 database')
})
