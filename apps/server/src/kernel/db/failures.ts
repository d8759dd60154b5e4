import type { ErrorName } from '@godwit/contract'

/**
 * What a failure of the database means for a caller. Everything here may pass by itself or by the operator's hand, so
 * callers are advised to try again; other failures are faults of the program.
 */
const MEANINGS: Readonly<Record<string, ErrorName>> = {
  // The server refuses or drops connections.
  ER_CON_COUNT_ERROR: 'DATABASE_UNAVAILABLE',
  ER_TOO_MANY_USER_CONNECTIONS: 'DATABASE_UNAVAILABLE',
  ER_USER_LIMIT_REACHED: 'DATABASE_UNAVAILABLE',
  ER_SERVER_SHUTDOWN: 'DATABASE_UNAVAILABLE',
  ER_NORMAL_SHUTDOWN: 'DATABASE_UNAVAILABLE',
  ER_SHUTDOWN_COMPLETE: 'DATABASE_UNAVAILABLE',
  ER_CONNECTION_KILLED: 'DATABASE_UNAVAILABLE',
  ER_QUERY_INTERRUPTED: 'DATABASE_UNAVAILABLE',
  ER_ABORTING_CONNECTION: 'DATABASE_UNAVAILABLE',
  ER_NEW_ABORTING_CONNECTION: 'DATABASE_UNAVAILABLE',
  ER_OUT_OF_RESOURCES: 'DATABASE_UNAVAILABLE',
  ER_CANT_CREATE_THREAD: 'DATABASE_UNAVAILABLE',
  // The server is a replica, or was made read-only for maintenance.
  ER_OPTION_PREVENTS_STATEMENT: 'DATABASE_UNAVAILABLE',
  ER_READ_ONLY_MODE: 'DATABASE_UNAVAILABLE',
  // Contention that outlasted every new try.
  ER_LOCK_DEADLOCK: 'DATABASE_UNAVAILABLE',
  ER_LOCK_WAIT_TIMEOUT: 'DATABASE_UNAVAILABLE',
  ER_CHECKREAD: 'DATABASE_UNAVAILABLE',
  ER_DISK_FULL: 'STORAGE_FULL',
  ER_RECORD_FILE_FULL: 'STORAGE_FULL',
  // The first part of SQLite's extended codes, `SQLITE_IOERR_WRITE` and so on.
  SQLITE_BUSY: 'DATABASE_UNAVAILABLE',
  SQLITE_LOCKED: 'DATABASE_UNAVAILABLE',
  SQLITE_PROTOCOL: 'DATABASE_UNAVAILABLE',
  SQLITE_IOERR: 'DATABASE_UNAVAILABLE',
  SQLITE_CANTOPEN: 'DATABASE_UNAVAILABLE',
  SQLITE_READONLY: 'STORAGE_READ_ONLY',
  // The file was moved or deleted under the server.
  SQLITE_READONLY_DBMOVED: 'DATABASE_UNAVAILABLE',
  SQLITE_FULL: 'STORAGE_FULL',
}

/**
 * The code with which a failure of the database is answered, also when it is only the cause of what was thrown.
 * @returns undefined when it is no failure of the database, or one that only a fault of the program can cause
 */
export function databaseFailure(thrown: unknown): ErrorName | undefined {
  if (!(thrown instanceof Error)) return undefined
  return meaningOf(thrown) ?? databaseFailure(thrown.cause)
}

/** The code of a failed system call or of a driver; '' without one. */
export function driverCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}

function meaningOf(thrown: Error): ErrorName | undefined {
  // mysql2 marks what ended its connection as fatal, with whatever code, or none: "connection is in closed state".
  if ('fatal' in thrown && thrown.fatal === true) return 'DATABASE_UNAVAILABLE'
  const code = driverCode(thrown)
  return MEANINGS[code] ?? MEANINGS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '']
}
