import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toAppError } from '../errors.ts'
import { sqliteDialect } from './sqlite.driver.ts'

interface Birds {
  readonly birds: { name: string }
}

const HELD_MS = 3_000

describe('an SQLite file that another process holds', () => {
  let folder: string
  let other: Sqlite.Database
  let db: Kysely<Birds>

  const open = (busyMs: number): Kysely<Birds> => openBirds(folder, { busyMs })
  const insert = (name: string) => db.insertInto('birds').values({ name }).execute()
  const names = async () =>
    (await db.selectFrom('birds').select('name').orderBy('name').execute()).map(({ name }) => name)

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-sqlite-'))
    db = open(20_000)
    await db.schema
      .createTable('birds')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .execute()
    other = new Sqlite(path.join(folder, 'birds.db'))
  })
  afterEach(async () => {
    await db.destroy()
    other.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  it('for 3 s stops neither the event loop nor readers, and writers go on afterwards', async () => {
    other.exec('begin exclusive')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const writes = [
      insert('godwit'),
      db.transaction().execute((tx) => tx.insertInto('birds').values({ name: 'knot' }).execute()),
    ]
    const slowest = await readUntil(performance.now() + HELD_MS)
    delay.disable()
    other.exec('rollback')
    await Promise.all(writes)
    expect(await names()).toEqual(['godwit', 'knot'])
    // One that waited for the lock would take all of it; a busy machine takes some of it.
    expect(delay.max / 1e6).toBeLessThan(HELD_MS / 2)
    expect(slowest).toBeLessThan(HELD_MS / 2)
  })

  it('for too long is answered with 503, and nothing is half done', async () => {
    await db.destroy()
    db = open(100)
    other.exec('begin exclusive')
    for (const attempt of [
      insert('godwit'),
      db.transaction().execute((tx) => tx.insertInto('birds').values({ name: 'knot' }).execute()),
    ]) {
      const failure = toAppError(
        await attempt.then(
          () => undefined,
          (thrown: unknown) => thrown,
        ),
      )
      expect([failure.code, failure.status]).toEqual(['DATABASE_UNAVAILABLE', 503])
    }
    other.exec('rollback')
    expect(await names()).toEqual([])
    await insert('ruff')
    expect(await names()).toEqual(['ruff'])
  })

  /** Reads again and again. @returns the longest time one took, in milliseconds */
  async function readUntil(end: number): Promise<number> {
    let slowest = 0
    for (let now = performance.now(); now < end; now = performance.now()) {
      expect(await names()).toEqual([])
      slowest = Math.max(slowest, performance.now() - now)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return slowest
  }
})

describe('transactions on SQLite', () => {
  let folder: string
  let db: Kysely<Birds>

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-sqlite-'))
    db = openBirds(folder, { busyMs: 100, turnMs: 300 })
    await db.schema.createTable('birds').addColumn('name', 'text').execute()
  })
  afterEach(async () => {
    await db.destroy()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const birds = () => db.selectFrom('birds').select('name').execute()

  it('keep the writes of others out until they end, however they end', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const failing = db.transaction().execute(async (tx) => {
      await tx.insertInto('birds').values({ name: 'never' }).execute()
      begun.resolve()
      await go.promise
      throw new Error('changed its mind')
    })
    await begun.promise
    const other = db.insertInto('birds').values({ name: 'later' }).execute()
    expect(await birds()).toEqual([])
    go.resolve()
    await expect(failing).rejects.toThrow('changed its mind')
    await other
    await db.transaction().execute((tx) => tx.insertInto('birds').values({ name: 'kept' }).execute())
    expect(await birds()).toEqual([{ name: 'later' }, { name: 'kept' }])
  })

  it('may read beside themselves, and see there what is committed', async () => {
    const seen = await db.transaction().execute(async (tx) => {
      await tx.insertInto('birds').values({ name: 'godwit' }).execute()
      const raw = await sql`with all_birds as (select name from birds) select name from all_birds`.execute(db)
      return [await birds(), raw.rows, await tx.selectFrom('birds').select('name').execute()]
    })
    expect(seen).toEqual([[], [], [{ name: 'godwit' }]])
    const raw = sql`with one as (select 'knot' as name) insert into birds select name from one returning name`
    expect((await raw.execute(db)).rows).toEqual([{ name: 'knot' }])
    expect(await birds()).toEqual([{ name: 'godwit' }, { name: 'knot' }])
  })

  it('that await a write beside themselves are refused, and all others go on', async () => {
    const stuck = db.transaction().execute(async (tx) => {
      await tx.insertInto('birds').values({ name: 'never' }).execute()
      await db.insertInto('birds').values({ name: 'beside' }).execute()
    })
    await expect(stuck).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    await db.insertInto('birds').values({ name: 'ruff' }).execute()
    expect(await birds()).toEqual([{ name: 'ruff' }])
  })
})

function openBirds(folder: string, waits: { readonly busyMs: number; readonly turnMs?: number }): Kysely<Birds> {
  const file = path.join(folder, 'birds.db')
  const database = new Sqlite(file, { timeout: 0 })
  database.pragma('journal_mode = WAL')
  return new Kysely<Birds>({ dialect: sqliteDialect({ database, reader: new Sqlite(file, { timeout: 0 }), ...waits }) })
}
