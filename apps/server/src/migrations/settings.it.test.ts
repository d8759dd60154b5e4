import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { connectDatabase, migrateToLatest, type Database } from '../kernel/db/index.ts'
import { MIGRATIONS } from './index.ts'

describe('settings of an installation from before the registry', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-migration-'))
  let database: Database | undefined
  afterEach(async () => {
    await database?.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['sqlite', () => Promise.resolve(`sqlite:${path.join(folder, 'godwit.db')}`)],
    ['mysql', mariadbUrl],
  ])('become the values of the site on %s', async (_dialect, url) => {
    database = connectDatabase(await url())
    const before = Object.entries(MIGRATIONS).filter(([name]) => name < '0008')
    await migrateToLatest(database, Object.fromEntries(before))
    await sql`insert into settings (name, value) values ('position', '9'), ('primaryColor', '"#0B6E4F"')`.execute(
      database.db,
    )
    await migrateToLatest(database, MIGRATIONS)
    const rows = await database.db.selectFrom('setting_values').selectAll().orderBy('name').execute()
    expect(rows).toEqual([
      { scope: 'site', scope_id: '', name: 'position', value: '9' },
      { scope: 'site', scope_id: '', name: 'primaryColor', value: '"#0B6E4F"' },
    ])
  })
})
