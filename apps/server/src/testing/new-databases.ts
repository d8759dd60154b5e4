import fs from 'node:fs'
import path from 'node:path'
import { randomHex, secureRandom } from '@godwit/base'
import { mariadbUrl, runFolder } from '@godwit/testkit/engines'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { connectDatabase, migrateToLatest, type Database } from '../kernel/db/index.ts'
import { MIGRATIONS } from '../migrations/index.ts'

/**
 * Connects to a database and brings it to the newest version. A new one is a copy of what the migrations made once in this run:
 * the steps from the first to the last cost most of a second, and tests open thousands of databases.
 */
export async function connectMigrated(url: string): Promise<Database> {
  if (url.startsWith('sqlite:')) await placeSqlite(url.slice('sqlite:'.length))
  else await fillMysql(url)
  const database = connectDatabase(url)
  await migrateToLatest(database, MIGRATIONS)
  return database
}

/** Puts a new SQLite database where there is none. */
export async function placeSqlite(file: string): Promise<void> {
  if (fs.existsSync(file)) return
  const model = await madeOnce('sqlite.db', async (draft) => {
    const database = connectDatabase(`sqlite:${draft}`)
    await migrateToLatest(database, MIGRATIONS)
    await database.close()
  })
  if (model !== undefined) fs.copyFileSync(model, file)
}

async function fillMysql(url: string): Promise<void> {
  const model = await madeOnce('mysql.sql', async (draft) => fs.writeFileSync(draft, await mysqlScript()))
  if (model === undefined) return
  await withConnection(url, async (connection) => {
    const [tables] = await connection.query<RowDataPacket[]>('show tables')
    if (tables.length === 0) await connection.query(fs.readFileSync(model, 'utf8'))
  })
}

/** Statements that make every table, with the rows that migrations put into it. */
async function mysqlScript(): Promise<string> {
  const url = await mariadbUrl()
  const database = connectDatabase(url)
  await migrateToLatest(database, MIGRATIONS)
  await database.close()
  return withConnection(url, async (connection) => {
    // Tables may refer to others that come later.
    const statements = ['set foreign_key_checks = 0']
    const [tables] = await connection.query<RowDataPacket[][]>({ sql: 'show tables', rowsAsArray: true })
    for (const [name] of tables) {
      const [[made]] = await connection.query<RowDataPacket[]>('show create table ??', [name])
      statements.push(String(made?.['Create Table']))
      const [rows] = await connection.query<RowDataPacket[][]>({ sql: 'select * from ??', rowsAsArray: true }, [name])
      if (rows.length > 0) statements.push(connection.format('insert into ?? values ?', [name, rows]))
    }
    return statements.join(';\n')
  })
}

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4_bin', multipleStatements: true })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

type Connection = Awaited<ReturnType<typeof createConnection>>

/** @returns the file of that name, which all processes of the run share; undefined where a run shares nothing */
async function madeOnce(name: string, make: (draft: string) => Promise<void>): Promise<string | undefined> {
  const folder = runFolder()
  if (folder === undefined) return undefined
  const file = path.join(folder, name)
  if (fs.existsSync(file)) return file
  // Two processes may make it at the same time; each puts a whole one there.
  const draft = `${file}.${randomHex(secureRandom, 8)}`
  await make(draft)
  fs.renameSync(draft, file)
  return file
}
