import { randomHex, type Random } from '@godwit/base'
import type { DatabaseTarget, ErrorName } from '@godwit/contract'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { AppError } from '../../kernel/errors.ts'
import { driverCode } from '../../kernel/db/index.ts'
import { OutboundError, type Outbound } from '../../kernel/outbound/index.ts'
import { serverVersion } from './database.policy.ts'

export interface ProbeDeps {
  readonly outbound: Outbound
  readonly random: Random
}

export interface ProbedDatabase {
  readonly engine: 'MySQL' | 'MariaDB'
  readonly version: string
}

const CONNECT_MS = 5_000
const ANSWER_MS = 5_000

/** What is wrong, and the field of the form where it is mended. */
interface Fault {
  readonly error: ErrorName
  readonly field: keyof DatabaseTarget
}

const FAULTS: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: { error: 'DATABASE_UNREACHABLE', field: 'port' },
  ETIMEDOUT: { error: 'DATABASE_UNREACHABLE', field: 'address' },
  EHOSTUNREACH: { error: 'DATABASE_UNREACHABLE', field: 'address' },
  ENETUNREACH: { error: 'DATABASE_UNREACHABLE', field: 'address' },
  PROTOCOL_CONNECTION_LOST: { error: 'DATABASE_UNREACHABLE', field: 'port' },
  PROTOCOL_SEQUENCE_TIMEOUT: { error: 'DATABASE_UNREACHABLE', field: 'address' },
  ER_ACCESS_DENIED_ERROR: { error: 'DATABASE_PASSWORD_WRONG', field: 'password' },
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: { error: 'DATABASE_PASSWORD_WRONG', field: 'password' },
  ER_BAD_DB_ERROR: { error: 'DATABASE_MISSING', field: 'name' },
  ER_DBACCESS_DENIED_ERROR: { error: 'DATABASE_RIGHTS_MISSING', field: 'account' },
  ER_TABLEACCESS_DENIED_ERROR: { error: 'DATABASE_RIGHTS_MISSING', field: 'account' },
  ER_COLUMNACCESS_DENIED_ERROR: { error: 'DATABASE_RIGHTS_MISSING', field: 'account' },
}

/**
 * Connects, and proves everything that the server will need there.
 * @throws AppError with `field`
 */
export async function probeDatabase(deps: ProbeDeps, target: DatabaseTarget): Promise<ProbedDatabase> {
  const host = await hostOf(deps, target.address)
  // Whatever else answers there speaks another protocol.
  const connection = await attempt({ error: 'DATABASE_UNREACHABLE', field: 'port' }, () => connect(host, target))
  try {
    const found = await attempt(undefined, () => versionOf(connection))
    await attempt({ error: 'DATABASE_RIGHTS_MISSING', field: 'account' }, () => proveRights(connection, deps.random))
    await attempt(undefined, () => requireUnused(connection))
    return found
  } finally {
    connection.destroy()
  }
}

async function connect(host: string, { port, name, account, password }: DatabaseTarget): Promise<Connection> {
  const { createConnection } = await import('mysql2/promise')
  const place = { host, port, user: account, password, database: name }
  return createConnection({ ...place, charset: 'utf8mb4_bin', connectTimeout: CONNECT_MS })
}

/** @param otherwise what a failure that is not listed means */
async function attempt<T>(otherwise: Fault | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    const code = driverCode(thrown)
    const known = FAULTS[code] ?? otherwise
    if (known !== undefined) throw new AppError(known.error, { field: known.field }, { cause: thrown })
    throw new AppError('MYSQL_CONNECTION_FAILED', { reason: code }, { cause: thrown })
  }
}

/** The address to connect to. @throws AppError DATABASE_UNREACHABLE, also for one inside the house that is not allowed */
export async function hostOf({ outbound }: Pick<ProbeDeps, 'outbound'>, address: string): Promise<string> {
  try {
    return await outbound.addressOf(address)
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown
    throw new AppError('DATABASE_UNREACHABLE', { field: 'address', reason: thrown.reason }, { cause: thrown })
  }
}

async function versionOf(connection: Connection): Promise<ProbedDatabase> {
  const [rows] = await connection.query<RowDataPacket[]>({ sql: 'select version() as version', timeout: ANSWER_MS })
  const text = String(rows[0]?.['version'])
  const { engine, version, isSupported } = serverVersion(text)
  if (!isSupported) throw new AppError('MYSQL_UNSUPPORTED', { field: 'address', reason: text })
  return { engine, version }
}

/** Does once what migrations and the running server do all the time. */
async function proveRights(connection: Connection, random: Random): Promise<void> {
  const table = `godwit_probe_${randomHex(random, 8)}`
  const run = (sql: string) => connection.query({ sql, timeout: ANSWER_MS })
  await run(`create table ${table} (id int primary key, name varchar(8)) engine=InnoDB`)
  try {
    await run(`create index ${table}_name on ${table} (name)`)
    await run(`alter table ${table} add column size int`)
    await run(`insert into ${table} (id, name, size) values (1, 'a', 1)`)
    await run(`update ${table} set size = 2 where id = 1`)
    await run(`select id from ${table} for update`)
    await run(`delete from ${table}`)
  } finally {
    await run(`drop table ${table}`)
  }
}

/** Tables are welcome only where a copy of ours has begun. @throws AppError DATABASE_NOT_EMPTY */
async function requireUnused(connection: Connection): Promise<void> {
  const query = async (sql: string) => (await connection.query<RowDataPacket[]>({ sql, timeout: ANSWER_MS }))[0]
  const tables = (await query('show tables')).map((row) => String(Object.values(row)[0]))
  if (tables.length === 0) return
  if (tables.includes('facts') && (await query(`select name from facts where name = 'db-copy:'`)).length > 0) return
  throw new AppError('DATABASE_NOT_EMPTY', { field: 'name' })
}
