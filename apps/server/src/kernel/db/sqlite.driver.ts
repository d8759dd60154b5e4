import { setTimeout as pause } from 'node:timers/promises'
import { Semaphore } from '@godwit/base'
import type Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { driverCode } from './failures.ts'

export interface SqliteOptions {
  readonly database: Sqlite.Database
  /** Longest wait for another process that holds the file, before SQLITE_BUSY is thrown. */
  readonly busyMs: number
}

/**
 * SQLite calls are synchronous, and so is SQLite's own wait for a lock of another process: it would stop the whole event
 * loop. Here a busy database is tried again by timers instead, so whatever needs no database goes on meanwhile.
 */
export function sqliteDialect(options: SqliteOptions): Dialect {
  const standard = new SqliteDialect({ database: options.database })
  return {
    createAdapter: () => new SharedConnectionAdapter(),
    createDriver: () => new SqliteDriver(options),
    createIntrospector: (db) => standard.createIntrospector(db),
    createQueryCompiler: () => standard.createQueryCompiler(),
  }
}

/** The driver itself serialises statements and transactions, with finer grain than Kysely's lock for a whole connection. */
class SharedConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): true {
    return true
  }
}

const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 50

class SqliteDriver implements Driver {
  readonly #options: SqliteOptions
  /** One transaction or statement at a time; given up between two tries, so that readers pass a writer that waits. */
  readonly #turn = new Semaphore(1)

  constructor(options: SqliteOptions) {
    this.#options = options
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new SqliteConnection(this.#options.database, (work) => this.#patiently(work)))
  }

  /**
   * Takes the write lock at once, unless the transaction only reads: a transaction that began by reading could not wait for
   * the lock later, since what it read might be out of date by then.
   */
  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const begin = accessMode === 'read only' ? 'begin' : 'begin immediate'
    await own(connection).begin(this.#turn, () => this.#options.database.exec(begin), this.#options.busyMs)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#options.database.exec('commit')
    own(connection).end()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      // A full disk or a failed read has already rolled the transaction back.
      if (this.#options.database.inTransaction) this.#options.database.exec('rollback')
    } finally {
      own(connection).end()
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#options.database.close()
  }

  #patiently<T>(work: () => T): Promise<T> {
    return whileBusy(() => this.#turn.run(async () => work()), this.#options.busyMs)
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  if (!(connection instanceof SqliteConnection)) throw new TypeError('a connection of another driver')
  return connection
}

type Patiently = <T>(work: () => T) => Promise<T>

class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database
  readonly #patiently: Patiently
  /** Ends the transaction under way; undefined outside one. */
  #endTransaction: (() => void) | undefined

  constructor(database: Sqlite.Database, patiently: Patiently) {
    this.#database = database
    this.#patiently = patiently
  }

  async begin(turn: Semaphore, begin: () => void, busyMs: number): Promise<void> {
    this.#endTransaction = await whileBusy(async () => holdTurn(turn, begin), busyMs)
  }

  end(): void {
    this.#endTransaction?.()
    this.#endTransaction = undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const run = (): QueryResult<R> => execute(this.#database, query)
    return this.#endTransaction === undefined ? this.#patiently(run) : run()
  }

  /** In one piece: an open cursor would hold up every other statement. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

/** @returns gives the turn back, once `begin` has succeeded in it */
async function holdTurn(turn: Semaphore, begin: () => void): Promise<() => void> {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const held = turn.run(async () => {
    begin()
    begun.resolve()
    await ended.promise
  })
  await Promise.race([begun.promise, held])
  return ended.resolve
}

function execute<R>(database: Sqlite.Database, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = database.prepare<readonly unknown[], R>(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
}

/** Tries again, with growing pauses, while another process holds the database. @throws the last SQLITE_BUSY after `busyMs` */
async function whileBusy<T>(work: () => Promise<T>, busyMs: number): Promise<T> {
  const until = performance.now() + busyMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() + pauseMs > until) throw thrown
    }
    await pause(pauseMs)
  }
}

function isBusy(thrown: unknown): boolean {
  const code = driverCode(thrown)
  return code === 'SQLITE_BUSY' || code === 'SQLITE_BUSY_RECOVERY' || code === 'SQLITE_LOCKED'
}
