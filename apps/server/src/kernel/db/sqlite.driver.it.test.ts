import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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

  it.each([
    ['transactions', () => db.transaction().execute(async (tx) => sql`select busy()`.execute(tx))],
    ['writes', () => sql`insert into birds select busy()`.execute(db)],
  ])('leave the event loop to others where %s follow each other', async (_kind, work) => {
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    for (let number = 0; number < 20; number++) await work()
    clearImmediate(next)
    // The first one of a turn is done at once, the second when the turn is no longer young.
    expect(turns).toBeGreaterThanOrEqual(9)
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

describe('statements that SQLite keeps ready', () => {
  let folder: string
  let db: Kysely<Birds>
  /** Texts in the order in which they were compiled, on both connections. */
  let compiled: string[]

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-sqlite-'))
    compiled = []
    db = openBirds(folder, { busyMs: 100, onCompile: (text) => void compiled.push(text) })
    await db.schema.createTable('birds').addColumn('name', 'text').execute()
    await db.insertInto('birds').values({ name: 'godwit' }).execute()
  })
  afterEach(async () => {
    await db.destroy()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const all = () => db.selectFrom('birds').selectAll().execute()
  const inTransaction = () => db.transaction().execute((tx) => tx.selectFrom('birds').selectAll().execute())
  const add = async (left: number, right: number) => {
    const { rows } = await sql<{ sum: number }>`select ${left} + ${sql.lit(right)} as sum`.execute(db)
    return rows[0]?.sum
  }

  it('are compiled once on each connection', async () => {
    compiled.length = 0
    for (let round = 0; round < 3; round++) {
      await all()
      await inTransaction()
      await db
        .insertInto('birds')
        .values({ name: `number ${round}` })
        .execute()
    }
    const [read, written] = ['select * from "birds"', 'insert into "birds" ("name") values (?)']
    expect(compiled.toSorted()).toEqual([read, read])
    expect(await all()).toHaveLength(4)
    expect(compiled).not.toContain(written)
  })

  it('give the columns of now when the table has changed since, by whomever', async () => {
    const other = new Sqlite(path.join(folder, 'birds.db'))
    expect([await all(), await inTransaction()]).toEqual([[{ name: 'godwit' }], [{ name: 'godwit' }]])
    other.exec('alter table birds add column legs integer not null default 2')
    expect([await all(), await inTransaction()]).toEqual([[{ name: 'godwit', legs: 2 }], [{ name: 'godwit', legs: 2 }]])
    await db.schema.alterTable('birds').dropColumn('name').execute()
    expect([await all(), await inTransaction()]).toEqual([[{ legs: 2 }], [{ legs: 2 }]])
    other.exec('drop table birds; create table birds (legs integer, wings integer); insert into birds values (2, 2)')
    expect([await all(), await inTransaction()]).toEqual([[{ legs: 2, wings: 2 }], [{ legs: 2, wings: 2 }]])
    other.exec('drop table birds')
    await expect(all()).rejects.toThrow('no such table')
    other.close()
  })

  it('are right again when a change of the tables is rolled back', async () => {
    const changing = db.transaction().execute(async (tx) => {
      await tx.schema.alterTable('birds').addColumn('legs', 'integer').execute()
      expect(await tx.selectFrom('birds').selectAll().execute()).toEqual([{ name: 'godwit', legs: null }])
      expect(await all()).toEqual([{ name: 'godwit' }])
      throw new Error('no legs')
    })
    await expect(changing).rejects.toThrow('no legs')
    expect([await all(), await inTransaction()]).toEqual([[{ name: 'godwit' }], [{ name: 'godwit' }]])
  })

  it('do a pragma anew, though it may work while it is compiled', async () => {
    const size = async () => (await sql<{ cache_size: number }>`pragma cache_size`.execute(db)).rows[0]?.cache_size
    for (const value of [100, 200, 100, 200]) {
      await sql`pragma cache_size = ${sql.lit(value)}`.execute(db)
      expect(await size()).toBe(value)
    }
  })

  it('answer for their own values, and those used least make room', async () => {
    for (let round = 1; round <= 2; round++) {
      for (let at = 0; at < 400; at++) {
        expect(await add(round, at)).toBe(round + at)
        expect(await add(round, -1)).toBe(round - 1)
      }
    }
    const times = (right: number) => compiled.filter((text) => text === `select ? + ${right} as sum`).length
    expect([times(-1), times(0), times(399)]).toEqual([1, 2, 2])
  })

  it('are none of the long ones', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({ name: `a bird with the number ${at}` }))
    for (let round = 0; round < 2; round++) await db.insertInto('birds').values(many).execute()
    expect(await all()).toHaveLength(2_001)
    expect(compiled.filter((text) => text.length > 4_000)).toHaveLength(2)
  })
})

/** Work of one statement; longer than writes may follow each other within one turn of the event loop. */
const BUSY_MS = 6

function holdThread(ms: number): string {
  for (const until = performance.now() + ms; performance.now() < until;);
  return 'busy'
}

interface Opening {
  readonly busyMs: number
  readonly turnMs?: number
  readonly onCompile?: (text: string) => void
}

function openBirds(folder: string, { onCompile, ...waits }: Opening): Kysely<Birds> {
  const file = path.join(folder, 'birds.db')
  const [database, reader] = [new Sqlite(file, { timeout: 0 }), new Sqlite(file, { timeout: 0 })]
  database.pragma('journal_mode = WAL')
  database.function('busy', { deterministic: false }, () => holdThread(BUSY_MS))
  if (onCompile !== undefined) {
    for (const each of [database, reader]) {
      const prepare = each.prepare.bind(each)
      vi.spyOn(each, 'prepare').mockImplementation((text: string) => {
        onCompile(text)
        return prepare(text)
      })
    }
  }
  return new Kysely<Birds>({ dialect: sqliteDialect({ database, reader, ...waits }) })
}
