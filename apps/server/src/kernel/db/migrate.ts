import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import type { Database, DialectName } from './connect.ts'

export type { Migration }

/** Brings the schema to the newest version. @throws the first failing step's error; steps done before it stay done */
export async function migrateToLatest(
  database: Database,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  if (await isUpToDate(database, Object.keys(migrations))) return
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('database migration failed', { cause: error })
}

/** Kysely takes its lock and looks for its tables several times before it sees the same, which every command would wait for. */
async function isUpToDate({ db }: Database, names: readonly string[]): Promise<boolean> {
  const done = await sql<{ readonly name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
    .execute(db)
    .catch(() => undefined) // Nothing was made yet, or nothing answers: the steps then meet the same and say so.
  return done !== undefined && isDeepStrictEqual(new Set(done.rows.map(({ name }) => name)), new Set(names))
}

/** Ends a CREATE TABLE: MySQL must compare text byte by byte, as SQLite does. */
export function tableOptions(dialect: DialectName) {
  return dialect === 'mysql' ? sql`engine=InnoDB character set utf8mb4 collate utf8mb4_bin` : sql``
}

/** The dialect of a connection, which Kysely does not name. */
export function dialectOf(db: { getExecutor(): { readonly adapter: object } }): DialectName {
  return db.getExecutor().adapter.constructor.name === 'MysqlAdapter' ? 'mysql' : 'sqlite'
}
