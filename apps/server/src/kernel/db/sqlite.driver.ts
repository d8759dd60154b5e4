import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
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
  /**
   * The same file once more, for what is read outside transactions: it never waits for one of this process. Otherwise a read
   * beside the transaction that awaits it, such as of a setting whose cache ran out, would stop every statement for ever.
   */
  readonly reader: Sqlite.Database
  /** Longest wait for another process that holds the file, before SQLITE_BUSY is thrown. */
  readonly busyMs: number
  /** The same for transactions and writes of this process, in milliseconds; default a minute. */
  readonly turnMs?: number
}

/**
 * SQLite calls are synchronous, and so is SQLite's own wait for a lock of another process: it would stop the whole event
 * loop. Here a busy database is tried again by timers instead, so whatever needs no database goes on meanwhile. Writes that
 * follow each other without any other wait, as those of background work do, leave the loop to others between them.
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
/** No transaction takes so long unless it awaits a write that waits for it. Refusing that one lets all others go on. */
const TURN_MS = 60_000

/** Writes of one turn of the event loop, before the next one waits for another turn. */
const SLICE_MS = 4

/** Statements that stay ready on a connection. A server runs about two hundred. */
const MOST_STATEMENTS = 250
/** Characters. Longer ones carry lists of values, which make texts without end, each of up to half a megabyte once it is compiled. */
const LONGEST_KEPT = 2_000

/**
 * What a connection has compiled: compiling costs several times what a small statement takes to run. SQLite compiles a kept one
 * again by itself when anyone has changed the tables since, and a pragma each time.
 */
class PreparedStatements {
  readonly #database: Sqlite.Database
  /** By text, the one used last at the end. */
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(database: Sqlite.Database) {
    this.#database = database
  }

  of(text: string): Sqlite.Statement {
    if (text.length > LONGEST_KEPT) return this.#database.prepare(text)
    const statement = this.#statements.get(text) ?? this.#database.prepare(text)
    this.#statements.delete(text)
    this.#statements.set(text, statement)
    const [oldest] = this.#statements.keys()
    if (this.#statements.size > MOST_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest)
    return statement
  }

  /** Closing a connection ends what it has compiled. */
  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}

class SqliteDriver implements Driver {
  readonly #options: SqliteOptions
  readonly #writer: PreparedStatements
  readonly #reader: PreparedStatements
  /** One transaction or writing statement at a time; given up between two tries, so that others pass one that waits. */
  readonly #turn = new Semaphore(1)
  readonly #loop = new LoopShare()

  constructor(options: SqliteOptions) {
    this.#options = options
    this.#writer = new PreparedStatements(options.database)
    this.#reader = new PreparedStatements(options.reader)
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    const { busyMs } = this.#options
    const outside: Outside = {
      read: (work) => whileBusy(async () => work(), busyMs),
      write: async (work) => {
        await this.#loop.share()
        return whileBusy(() => this.#inTurn(async () => work()), busyMs)
      },
    }
    return Promise.resolve(new SqliteConnection(this.#writer, this.#reader, outside))
  }

  /**
   * Takes the write lock at once, unless the transaction only reads: a transaction that began by reading could not wait for
   * the lock later, since what it read might be out of date by then.
   */
  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await this.#loop.share()
    const begin = accessMode === 'read only' ? 'begin' : 'begin immediate'
    await own(connection).begin(() => this.#holdTurn(() => this.#options.database.exec(begin)), this.#options.busyMs)
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
    // The last connection to close tidies up the file.
    this.#reader.close()
    this.#writer.close()
  }

  /** @returns gives the turn back, once `begin` has succeeded in it */
  async #holdTurn(begin: () => void): Promise<() => void> {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const held = this.#inTurn(async () => {
      begin()
      begun.resolve()
      await ended.promise
    })
    await Promise.race([begun.promise, held])
    return ended.resolve
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(new TurnError()), this.#options.turnMs ?? TURN_MS)
    const begin = (): Promise<T> => {
      clearTimeout(timer)
      return work()
    }
    return this.#turn.run(begin, waiting.signal)
  }
}

/** Keeps whoever writes again and again from holding the event loop. */
class LoopShare {
  /** When the first write of this turn of the loop began. */
  #heldSince: number | undefined

  /** Resolves at once while this turn is young, else in the next one. */
  async share(): Promise<void> {
    if (this.#heldSince === undefined) {
      this.#heldSince = performance.now()
      setImmediate(() => {
        this.#heldSince = undefined
      })
    } else if (performance.now() - this.#heldSince > SLICE_MS) await nextTurn()
  }
}

class TurnError extends Error {
  readonly code = 'SQLITE_BUSY'

  constructor() {
    super('a transaction of this process did not end in time')
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  if (!(connection instanceof SqliteConnection)) throw new TypeError('a connection of another driver')
  return connection
}

/** How a statement outside transactions is run. */
interface Outside {
  readonly read: <T>(work: () => T) => Promise<T>
  readonly write: <T>(work: () => T) => Promise<T>
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: PreparedStatements
  readonly #reader: PreparedStatements
  readonly #outside: Outside
  /** Ends the transaction under way; undefined outside one. */
  #endTransaction: (() => void) | undefined

  constructor(writer: PreparedStatements, reader: PreparedStatements, outside: Outside) {
    this.#writer = writer
    this.#reader = reader
    this.#outside = outside
  }

  /** @param begin returns what ends the transaction */
  async begin(begin: () => Promise<() => void>, busyMs: number): Promise<void> {
    this.#endTransaction = await whileBusy(begin, busyMs)
  }

  end(): void {
    this.#endTransaction?.()
    this.#endTransaction = undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTransaction !== undefined) return execute<R>(this.#writer, query)
    const read = MAY_READ.test(query.sql) ? await this.#outside.read(() => readOnly<R>(this.#reader, query)) : undefined
    return read ?? this.#outside.write(() => execute<R>(this.#writer, query))
  }

  /** In one piece: an open cursor would hold up every other statement. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

/** What may only read. Pragmas are left out: some of them set something, for their connection alone. */
const MAY_READ = /^\s*(?:select|with)\b/i

/** @returns undefined for a statement that writes, which was not run */
function readOnly<R>(reader: PreparedStatements, { sql, parameters }: CompiledQuery): QueryResult<R> | undefined {
  const statement = reader.of(sql)
  return statement.readonly ? { rows: statement.all(parameters) as R[] } : undefined
}

function execute<R>(writer: PreparedStatements, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = writer.of(sql)
  if (statement.reader) return { rows: statement.all(parameters) as R[] }
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
