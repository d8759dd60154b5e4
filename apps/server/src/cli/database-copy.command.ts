import { type RawBuilder, sql } from 'kysely'
import {
  connectDatabase,
  inTransaction,
  insertRows,
  keyOf,
  migrateToLatest,
  readRows,
  tableDigest,
  tableShapes,
} from '../kernel/db/index.ts'
import type { Database, Db, TableShape } from '../kernel/db/index.ts'
import { MIGRATIONS, SEEDED_ROWS } from '../migrations/index.ts'
import { misused } from './arguments.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

/** Where the copy stands, kept in the target so that a broken copy goes on where it stopped; alone: it has begun. */
const PROGRESS_FACT = 'db-copy:'

export const databaseCopyCommand: Command = {
  name: 'db copy',
  summary: 'Copy the database to MySQL or MariaDB; goes on where it stopped, compares counts and hashes at the end',
  positionals: ['TARGET-URL'],
  options: {},
  examples: [
    'godwit db copy mysql://godwit:secret@db:3306/godwit',
    'godwit db copy mysql://root@127.0.0.1/godwit --json',
  ],
  run: async (call) =>
    withDatabase(call, async (source) => {
      const url = call.positionals[0] ?? ''
      if (!/^(?:mysql|sqlite):/.test(url) || !URL.canParse(url))
        return misused(call, 'the target is given as mysql://user:password@host:port/name')
      const target = connectDatabase(url)
      try {
        await migrateToLatest(target, MIGRATIONS)
        const tables = await copyAll(call, source, target)
        const isEqual = tables.every(({ equal }) => equal)
        const lines = tables.map(
          ({ table, rows, equal }) =>
            `${table.padEnd(24)}  ${String(rows).padStart(10)} rows  ${equal ? 'equal' : 'DIFFERENT'}`,
        )
        const verdict = isEqual
          ? 'Every table is equal. Set GODWIT_DATABASE_URL to the target and restart.'
          : 'The copies differ: stop the server and copy again.'
        call.show({ tables, equal: isEqual }, [...lines, verdict].join('\n'))
        return isEqual ? EXIT.ok : EXIT.problems
      } finally {
        await target.close()
      }
    }),
}

interface CopiedTable {
  readonly table: string
  readonly rows: number
  readonly equal: boolean
}

async function copyAll(call: Invocation, source: Database, target: Database): Promise<CopiedTable[]> {
  const shapes = await tableShapes(source)
  await begin(target, shapes)
  for (const shape of shapes) {
    if (shape.name !== 'facts') await copyTable(call, { source, target, shape })
  }
  const facts = shapes.find(({ name }) => name === 'facts')
  // Last, because the facts of the target hold the progress of the others until here.
  if (facts) await copyFacts(source, target, facts)
  const copied: CopiedTable[] = []
  for (const shape of shapes) {
    const [from, to] = [await tableDigest(source.db, shape), await tableDigest(target.db, shape)]
    copied.push({ table: shape.name, rows: to.count, equal: from.count === to.count && from.sha256 === to.sha256 })
  }
  return copied
}

interface TableCopy {
  readonly source: Database
  readonly target: Database
  readonly shape: TableShape
}

async function copyTable(call: Invocation, { source, target, shape }: TableCopy): Promise<void> {
  const fact = PROGRESS_FACT + shape.name
  const begun = await target.db.selectFrom('facts').select('value').where('name', '=', fact).executeTakeFirst()
  const after = begun === undefined ? undefined : (JSON.parse(begun.value) as Array<string | number | null>)
  for await (const rows of readRows(source.db, shape, { after })) {
    call.io.signal.throwIfAborted()
    await inTransaction(target.db, async (tx) => {
      await insertRows(tx, shape.name, rows)
      await tx.deleteFrom('facts').where('name', '=', fact).execute()
      await tx
        .insertInto('facts')
        .values({ name: fact, value: JSON.stringify(keyOf(rows.at(-1), shape.key)) })
        .execute()
    })
  }
}

/**
 * Makes the target as empty as the copy needs it.
 * @throws CommandFailure rather than mix two installations
 */
async function begin(target: Database, shapes: readonly TableShape[]): Promise<void> {
  await inTransaction(target.db, async (tx) => {
    const begun = await tx.selectFrom('facts').select('name').where('name', 'like', `${PROGRESS_FACT}%`).execute()
    if (begun.length > 0) return
    for (const { name } of shapes) {
      const seed = SEEDED_ROWS[name]
      if (seed !== undefined) await sql`delete from ${sql.table(name)} where ${isRow(seed)}`.execute(tx)
      if (name !== 'facts') await requireEmpty(tx, name)
    }
    await tx.insertInto('facts').values({ name: PROGRESS_FACT, value: 'begun' }).execute()
  })
}

function isRow(row: Readonly<Record<string, number>>): RawBuilder<unknown> {
  return sql.join(
    Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )
}

/** A refusal takes back what the transaction removed. */
async function requireEmpty(tx: Db, table: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(tx)
  const count = Number(rows[0]?.count)
  if (count > 0) throw new CommandFailure(EXIT.refused, `the target is not empty: it has ${count} rows in ${table}`)
}

async function copyFacts(source: Database, target: Database, shape: TableShape): Promise<void> {
  await inTransaction(target.db, async (tx) => {
    await tx.deleteFrom('facts').execute()
    for await (const rows of readRows(source.db, shape, {})) await insertRows(tx, 'facts', rows)
  })
}
