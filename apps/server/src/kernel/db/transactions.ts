import type { Db, Tx } from './connect.ts'

/** The database chose this transaction as the victim of a lock; nothing of it was kept, so it may run again. */
const CONTENTION = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
])
/** The database cannot be reached at all. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
])
const TRIES = 8

/** Runs `work` in a transaction, again when the database broke it off for a lock. `work` must have no other effects. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (thrown) {
      if (attempt === TRIES || !CONTENTION.has(codeOf(thrown))) throw thrown
    }
  }
}

/** Also when it is only the cause of what was thrown. A connection error of mysql2 is marked as fatal. */
export function isDatabaseUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return (UNREACHABLE.has(codeOf(thrown)) && 'fatal' in thrown) || isDatabaseUnreachable(thrown.cause)
}

/** A unique key refused an insert. */
export function isDuplicate(thrown: unknown): boolean {
  return ['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(thrown))
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}
