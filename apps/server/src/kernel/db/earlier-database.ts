import fs from 'node:fs'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { replaceWith } from '../folders.ts'
import type { Database, Db } from './connect.ts'

/**
 * SQLite's file as it was before the last upgrade, beside it. No step of a schema goes back; the file of before does, for whoever
 * has to return to the version of before. A database server has its own means.
 */
export function earlierDatabaseOf(file: string): string {
  return `${file}.before-upgrade`
}

/** Keeps the database as it is now, in place of what an earlier upgrade had kept. @param steps done so far */
export async function keepEarlierDatabase({ db, dialect }: Database, steps: number): Promise<void> {
  if (dialect !== 'sqlite') return
  const file = await sqliteFileOf(db)
  if (file === '') return // In memory.
  const part = `${earlierDatabaseOf(file)}.part`
  fs.rmSync(part, { force: true })
  await sql`vacuum into ${part}`.execute(db)
  fs.chmodSync(part, 0o640)
  // Another process may have upgraded it meanwhile, and kept what was before.
  if (stepsIn(part) === steps) replaceWith(part, earlierDatabaseOf(file))
  else fs.rmSync(part)
}

/** The file that an SQLite database is in; '' in memory. */
export async function sqliteFileOf(db: Db): Promise<string> {
  const { rows } = await sql<{
    readonly file: string
  }>`select file from pragma_database_list where name = 'main'`.execute(db)
  return rows[0]?.file ?? ''
}

function stepsIn(file: string): number {
  const copy = new Sqlite(file, { readonly: true })
  try {
    return Number(copy.prepare('select count(*) from kysely_migration').pluck().get())
  } finally {
    copy.close()
  }
}
