import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import type { Database, DialectName } from './connect.ts'
import { keepEarlierDatabase } from './earlier-database.ts'

export type { Migration }

/** The steps of a schema: what a program knows beside what was done to a database. */
export interface SchemaState {
  /** Done at the next start, in this order. */
  readonly pending: readonly string[]
  /** Done by a newer program, and unknown to this one. */
  readonly unknown: readonly string[]
}

/** The database was changed by a newer program. What it holds may mean something else by now, so this one leaves it alone. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'

  constructor({ unknown }: SchemaState) {
    super(
      `a newer version of Godwit has changed the database (${unknown.join(', ')}): start that version, ` +
        'or restore a backup that this one made',
    )
  }
}

/**
 * Brings the schema to the newest version. What SQLite held before is kept beside it, for `godwit db revert`.
 * @throws NewerSchema, with nothing changed; the first failing step's error, and steps done before it stay done
 */
export async function migrateToLatest(
  database: Database,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const state = await lookAtSchema(database, Object.keys(migrations))
  if (state !== undefined && state.unknown.length > 0) throw new NewerSchema(state)
  if (state?.pending.length === 0) return
  if (state !== undefined) await keepEarlierDatabase(database, Object.keys(migrations).length - state.pending.length)
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('database migration failed', { cause: error })
}

/**
 * What a start would do. Kysely takes its lock and looks for its tables several times before it says the same, which every command
 * would wait for.
 * @returns undefined for a database in which nothing was made yet, or that does not answer
 */
async function lookAtSchema({ db }: Database, names: readonly string[]): Promise<SchemaState | undefined> {
  const found = await sql<{ readonly name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
    .execute(db)
    .catch(() => undefined) // The steps then meet the same and say so.
  if (found === undefined) return undefined
  const done = new Set(found.rows.map(({ name }) => name))
  const unknown = [...done].filter((name) => !names.includes(name)).toSorted()
  return { pending: names.filter((name) => !done.has(name)), unknown }
}

/** Looks without changing anything. @throws what the database says when it does not answer */
export async function schemaState(
  database: Database,
  migrations: Readonly<Record<string, Migration>>,
): Promise<SchemaState> {
  const names = Object.keys(migrations)
  await sql`select 1`.execute(database.db)
  return (await lookAtSchema(database, names)) ?? { pending: names, unknown: [] }
}

/** Ends a CREATE TABLE: MySQL must compare text byte by byte, as SQLite does. */
export function tableOptions(dialect: DialectName) {
  return dialect === 'mysql' ? sql`engine=InnoDB character set utf8mb4 collate utf8mb4_bin` : sql``
}

/** The dialect of a connection, which Kysely does not name. */
export function dialectOf(db: { getExecutor(): { readonly adapter: object } }): DialectName {
  return db.getExecutor().adapter.constructor.name === 'MysqlAdapter' ? 'mysql' : 'sqlite'
}
