import { sql, type RawBuilder } from 'kysely'
import {
  connectDatabase,
  inTransaction,
  insertRows,
  keyOf,
  migrateToLatest,
  readRows,
  tableDigest,
  tableShapes,
  type Database,
  type Db,
  type Row,
  type TableShape,
  type Tx,
} from '../../kernel/db/index.ts'
import { MIGRATIONS, SEEDED_ROWS } from '../../migrations/index.ts'
import { Refused } from '../../foundation/installation/index.ts'
import { COPIED, COPY_MARK } from './unfinished.ts'

const ROWS_AT_ONCE = 1_000
const DELETED_AT_ONCE = 200

export interface CopiedTable {
  readonly table: string
  /** Rows of the source. */
  readonly rows: number
  /** SHA-256 over the rows of the source, in the order of their key. */
  readonly sha256: string
  /** Whether the target has as many rows with the same hash. */
  readonly equal: boolean
}

export interface CopyRun {
  readonly signal: AbortSignal
  /** Called before the first row, so that everything that will be copied is known, and as rows arrive. */
  readonly onProgress?: (table: string, copied: number, total: number) => void
}

/** Tables in the state of one moment, or as they are now. */
interface Source {
  readonly db: Db | Tx
  readonly shapes: readonly TableShape[]
}

/**
 * Makes the tables of the target equal to those of the source, by inserting, replacing and removing single rows. It may be
 * broken off anywhere and run again, and costs only reading where nothing has changed.
 * @throws Refused rather than mix two installations
 */
export async function copyDatabase(source: Database, target: Database, run: CopyRun): Promise<CopiedTable[]> {
  await migrateToLatest(target, MIGRATIONS)
  const shapes = await tableShapes(source)
  await begin(target, shapes)
  return copyTables({ db: source.db, shapes }, target, run)
}

/** The same from a second connection to an SQLite file, in the state of one moment: the server beside it goes on writing. */
export async function copySnapshot(sourceUrl: string, target: Database, run: CopyRun): Promise<CopiedTable[]> {
  const source = connectDatabase(sourceUrl)
  try {
    await migrateToLatest(target, MIGRATIONS)
    const shapes = await tableShapes(source)
    await begin(target, shapes)
    const moment = source.db.transaction().setAccessMode('read only')
    return await moment.execute((tx) => copyTables({ db: tx, shapes }, target, run))
  } finally {
    await source.close()
  }
}

/** Every table is equal, and nobody writes to the source any more. */
export async function markCopied({ db }: Pick<Database, 'db'>): Promise<void> {
  await db.updateTable('facts').set({ value: COPIED }).where('name', '=', COPY_MARK).execute()
}

/** From now on a server writes here, so no copy may go on. */
export async function endCopy({ db }: Pick<Database, 'db'>): Promise<void> {
  await db.deleteFrom('facts').where('name', '=', COPY_MARK).execute()
}

async function copyTables({ db, shapes }: Source, target: Database, run: CopyRun): Promise<CopiedTable[]> {
  const totals = new Map<string, number>()
  for (const { name } of shapes) totals.set(name, await countRows(db, name))
  for (const [name, total] of totals) run.onProgress?.(name, 0, total)
  // One connection, because the switch for foreign keys is of a connection.
  await target.db.connection().execute(async (connection) => {
    await checkForeignKeys(connection, target, false)
    try {
      for (const shape of shapes) {
        const onRows = (rows: number) => run.onProgress?.(shape.name, rows, totals.get(shape.name) ?? rows)
        await copyTable({ source: db, target: connection, shape }, { signal: run.signal, onRows })
      }
    } finally {
      await checkForeignKeys(connection, target, true)
    }
  })
  const copied: CopiedTable[] = []
  for (const shape of shapes) {
    run.signal.throwIfAborted()
    const [from, to] = [
      await tableDigest(db, shape, isOwnRow(shape)),
      await tableDigest(target.db, shape, isOwnRow(shape)),
    ]
    const equal = from.count === to.count && from.sha256 === to.sha256
    copied.push({ table: shape.name, rows: from.count, sha256: from.sha256, equal })
  }
  return copied
}

/** While rows come and go in the order of their keys, others refer to some that are not there yet. */
async function checkForeignKeys(connection: Db, { dialect }: Database, isOn: boolean): Promise<void> {
  const value = sql.lit(isOn ? 1 : 0)
  await (dialect === 'mysql' ? sql`set foreign_key_checks = ${value}` : sql`pragma foreign_keys = ${value}`).execute(
    connection,
  )
}

interface TableCopy {
  readonly source: Db | Tx
  readonly target: Db
  readonly shape: TableShape
}

interface TableRun {
  readonly signal: AbortSignal
  readonly onRows: (rows: number) => void
}

async function copyTable(copy: TableCopy, { signal, onRows }: TableRun): Promise<void> {
  const { target, shape } = copy
  // What is wrong goes first: a new row may have a unique value that an old one still holds.
  if ((await countRows(target, shape.name)) > 0) await removeWrong(copy, signal)
  let missing: Row[] = []
  let done = 0
  const addMissing = async (): Promise<void> => {
    const rows = missing
    missing = []
    if (rows.length > 0) await inTransaction(target, (tx) => insertRows(tx, shape.name, rows))
    onRows(done)
  }
  for await (const [wanted, found] of pairs(copy)) {
    signal.throwIfAborted()
    if (wanted !== undefined) done += 1
    if (wanted !== undefined && found === undefined) missing.push(wanted)
    if (missing.length === ROWS_AT_ONCE || done % ROWS_AT_ONCE === 0) await addMissing()
  }
  await addMissing()
}

async function removeWrong(copy: TableCopy, signal: AbortSignal): Promise<void> {
  const { target, shape } = copy
  let wrong: Row[] = []
  for await (const [wanted, found] of pairs(copy)) {
    if (found === undefined || (wanted !== undefined && isSame(wanted, found, shape))) continue
    signal.throwIfAborted()
    if (wrong.push(found) < DELETED_AT_ONCE) continue
    await removeRows(target, shape, wrong)
    wrong = []
  }
  await removeRows(target, shape, wrong)
}

/** Rows of both sides in the order of their key, those of one key together. */
async function* pairs({ source, target, shape }: TableCopy): AsyncGenerator<[Row | undefined, Row | undefined]> {
  const [wanted, found] = [rowsOf(source, shape), rowsOf(target, shape)]
  let [left, right] = [await next(wanted), await next(found)]
  while (left !== undefined || right !== undefined) {
    const order =
      left === undefined ? 1 : right === undefined ? -1 : compareKeys(keyOf(left, shape.key), keyOf(right, shape.key))
    yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined]
    if (order <= 0) left = await next(wanted)
    if (order >= 0) right = await next(found)
  }
}

async function* rowsOf(db: Db | Tx, shape: TableShape): AsyncGenerator<Row> {
  const isWanted = isOwnRow(shape)
  for await (const rows of readRows(db, shape, { batch: ROWS_AT_ONCE })) yield* rows.filter(isWanted)
}

async function next(rows: AsyncGenerator<Row>): Promise<Row | undefined> {
  const result: IteratorResult<Row, unknown> = await rows.next()
  return result.done === true ? undefined : result.value
}

/** The mark of a copy is no row of the installation. */
function isOwnRow({ name }: TableShape): (row: Row) => boolean {
  return (row) => name !== 'facts' || row['name'] !== COPY_MARK
}

function isSame(one: Row, other: Row, { columns }: TableShape): boolean {
  return columns.every((column) => one[column] === other[column])
}

/** As both databases order keys: numbers by value, texts by their bytes. */
function compareKeys(one: ReturnType<typeof keyOf>, other: ReturnType<typeof keyOf>): number {
  for (const [index, a] of one.entries()) {
    const b = other[index]
    if (a === b) continue
    if (typeof a === 'number' && typeof b === 'number') return a - b
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  }
  return 0
}

async function removeRows(target: Db, { name, key }: TableShape, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const conditions = rows.map(
    (row) => sql`(${isRow(Object.fromEntries(key.map((column) => [column, row[column] ?? ''])))})`,
  )
  await sql`delete from ${sql.table(name)} where ${sql.join(conditions, sql` or `)}`.execute(target)
}

/**
 * Makes the target as empty as the copy needs it.
 * @throws Refused
 */
async function begin(target: Database, shapes: readonly TableShape[]): Promise<void> {
  await inTransaction(target.db, async (tx) => {
    // Kept while it is no server's database yet: a copy that was broken off goes on.
    const again = tx.updateTable('facts').set({ value: 'begun' }).where('name', '=', COPY_MARK)
    if ((await again.executeTakeFirst()).numUpdatedRows > 0n) return
    for (const { name } of shapes) {
      const seed = SEEDED_ROWS[name]
      if (seed !== undefined) await sql`delete from ${sql.table(name)} where ${isRow(seed)}`.execute(tx)
      if (name === 'facts') continue
      // A refusal takes back what the transaction removed.
      const count = await countRows(tx, name)
      if (count > 0) throw new Refused(`the target is not empty: it has ${count} rows in ${name}`)
    }
    await tx.insertInto('facts').values({ name: COPY_MARK, value: 'begun' }).execute()
  })
}

function isRow(row: Readonly<Record<string, string | number>>): RawBuilder<unknown> {
  return sql.join(
    Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )
}

async function countRows(db: Db | Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.count)
}
