import { connectDatabase, type Database, type Tx } from './connect.ts'
import { sqliteFileOf } from './earlier-database.ts'
import { inTransaction } from './transactions.ts'

/**
 * Reads all tables as of one instant, however long it takes. Whoever writes meanwhile goes on: SQLite has one writer at a time, so
 * there a connection of its own reads, without the lock.
 */
export async function inSnapshot<T>(database: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  const file = database.dialect === 'sqlite' ? await sqliteFileOf(database.db) : ''
  if (file === '') return inTransaction(database.db, read)
  const own = connectDatabase(`sqlite:${file}`)
  try {
    return await own.db.transaction().setAccessMode('read only').execute(read)
  } finally {
    await own.close()
  }
}
