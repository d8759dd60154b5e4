import fs from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { type DatabaseIntrospector, Kysely, MysqlDialect, type Transaction } from 'kysely'
import { makeFolder } from '../folders.ts'
import { OwnTablesIntrospector } from './mysql.introspector.ts'
import { type SilenceLimits, watchSilence } from './silent-connections.ts'
import { sqliteDialect } from './sqlite.driver.ts'
import type { Tables } from './tables.ts'

export type DialectName = 'sqlite' | 'mysql'
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** A database with what callers must know of its kind; stores ask `dialect` only where SQL really differs. */
export interface Database {
  readonly db: Db
  readonly dialect: DialectName
  /** Of a database with several connections. */
  readonly pool?: PoolFigures
  close(): Promise<void>
}

/** How busy the connections are; what holds it looks at it when it is asked. */
export interface PoolFigures {
  readonly limit: number
  readonly inUse: number
  /** Queries that found none free, since the start. */
  readonly waits: number
}

/** Of a database server. */
export const CONNECTIONS = 10
/** How long a statement waits for another process that holds the SQLite file. */
const BUSY_MS = 5_000

/** Of a database server whose host vanished. */
const SILENCE: SilenceLimits = { silentMs: 30_000, connectMs: 10_000 }
/** An idle connection is probed from then on, so that it ends with its host; by itself the system begins after two hours. */
const KEEP_ALIVE_MS = 10_000

/**
 * @param url `sqlite:/path/to/file.db` or `mysql://user:password@host:port/name`
 */
export function connectDatabase(url: string, limits: SilenceLimits = SILENCE): Database {
  return url.startsWith('sqlite:') ? connectSqlite(url.slice('sqlite:'.length)) : connectMysql(url, limits)
}

function connectSqlite(file: string): Database {
  makeFolder(path.dirname(file))
  const sqlite = new Sqlite(file, { timeout: BUSY_MS })
  // FULL: a commit that was answered survives a power cut. NORMAL in WAL mode would lose the last ones.
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  // From here on the event loop runs other work, so SQLite must not wait; the driver does.
  sqlite.pragma('busy_timeout = 0')
  fs.chmodSync(file, 0o640)
  const reader = new Sqlite(file, { timeout: 0 })
  reader.pragma('query_only = ON')
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ database: sqlite, reader, busyMs: BUSY_MS }) })
  return { db, dialect: 'sqlite', close: () => db.destroy() }
}

class OwnTablesDialect extends MysqlDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new OwnTablesIntrospector(db)
  }
}

function connectMysql(url: string, limits: SilenceLimits): Database {
  let watch: ReturnType<typeof watchSilence> | undefined
  let waits = 0
  // Imported with the first query, so that servers on SQLite do without the library.
  const pool = async () => {
    const { createPool } = await import('mysql2')
    const made = createPool({
      ...{ uri: url, charset: 'utf8mb4_bin', timezone: 'Z', flags: ['FOUND_ROWS'] },
      ...{ connectionLimit: CONNECTIONS, connectTimeout: limits.connectMs, keepAliveInitialDelay: KEEP_ALIVE_MS },
    })
    watch = watchSilence(made, { uri: url }, limits)
    made.on('enqueue', () => waits++)
    return made
  }
  const db = new Kysely<Tables>({ dialect: new OwnTablesDialect({ pool }) })
  const close = (): Promise<void> => {
    watch?.end()
    return db.destroy()
  }
  const figures: PoolFigures = {
    limit: CONNECTIONS,
    get inUse() {
      return watch?.inUse.size ?? 0
    },
    get waits() {
      return waits
    },
  }
  return { db, dialect: 'mysql', pool: figures, close }
}
