import { createHash, type Hash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Database, DialectName, Tx } from './connect.ts'

/** Rows as the database has them: numbers, texts and nulls only (no dates, no blobs in this schema). */
export type Row = Readonly<Record<string, string | number | null>>

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key, in order. */
  readonly key: readonly string[]
}

/** Kysely keeps its own bookkeeping in these; the schema of the target makes them anew. */
const BOOKKEEPING = /^kysely_/

/** A table's name is known only at run time here, which the typed builder cannot follow. */
type AnyDb = Kysely<Record<string, Record<string, string | number | null>>>

/** Every table with its columns and key, parents before the tables that refer to them. */
export async function tableShapes({ db, dialect }: Pick<Database, 'db' | 'dialect'>): Promise<TableShape[]> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !BOOKKEEPING.test(name))
  const shapes = await Promise.all(
    tables.map(async ({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
      key: await keyColumns(db as never, dialect, name),
    })),
  )
  return shapes.toSorted((a, b) => parentRank(a.name) - parentRank(b.name) || (a.name < b.name ? -1 : 1))
}

/** Foreign keys point at these only. */
const PARENTS: ReadonlySet<string> = new Set(['users', 'storages', 'user_groups', 'roles'])

function parentRank(table: string): number {
  return PARENTS.has(table) ? 0 : 1
}

async function keyColumns(db: AnyDb, dialect: DialectName, table: string): Promise<string[]> {
  const query =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`
      : sql<{ name: string }>`select column_name as name from information_schema.key_column_usage
          where table_schema = database() and table_name = ${table} and constraint_name = 'PRIMARY' order by ordinal_position`
  return (await query.execute(db)).rows.map(({ name }) => name)
}

/** Rows in key order, in batches, from behind `after` (the key of the last row already had). */
export async function* readRows(
  db: Database['db'] | Tx,
  { name, columns, key }: TableShape,
  {
    after,
    batch = 1000,
  }: { readonly after?: ReadonlyArray<string | number | null> | undefined; readonly batch?: number },
): AsyncGenerator<Row[]> {
  let last = after
  for (;;) {
    const order = sql.join(key.map((column) => sql.ref(column)))
    const behind = last === undefined ? sql`1 = 1` : sql`(${order}) > (${sql.join(last)})`
    const query = sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
      where ${behind} order by ${order} limit ${sql.lit(batch)}`
    const { rows } = await query.execute(db)
    if (rows.length === 0) return
    yield rows
    last = keyOf(rows.at(-1), key)
  }
}

export async function insertRows(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  // SQLite allows 32,766 bound values in a statement; no table here has more than 40 columns.
  for (let at = 0; at < rows.length; at += 500) {
    await (tx as unknown as AnyDb)
      .insertInto(table)
      .values(rows.slice(at, at + 500))
      .execute()
  }
}

export function keyOf(row: Row | undefined, key: readonly string[]): Array<string | number | null> {
  return key.map((column) => row?.[column] ?? null)
}

/**
 * Count and SHA-256 over a table's rows in key order; equal on both dialects for equal content.
 * @param isCounted leaves rows out
 */
export async function tableDigest(
  db: Database['db'] | Tx,
  shape: TableShape,
  isCounted: (row: Row) => boolean = () => true,
): Promise<{ count: number; sha256: string }> {
  const hash: Hash = createHash('sha256')
  let count = 0
  const columns = shape.columns.toSorted()
  for await (const read of readRows(db, shape, {})) {
    const rows = read.filter(isCounted)
    for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column] ?? null))}\n`)
    count += rows.length
  }
  return { count, sha256: hash.digest('hex') }
}
