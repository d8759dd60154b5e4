import type { Clock, Random } from '@godwit/base'
import type { CopiedTableView, DatabaseCopyView, DatabaseTarget, DatabaseView, SwitchObstacle } from '@godwit/contract'
import { sql } from 'kysely'
import { Refused } from '../../foundation/installation/index.ts'
import {
  announceOrder,
  CAN_RESTART,
  orderStop,
  serverStateStore,
  type StopOrder,
} from '../../foundation/server-state/index.ts'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import { shownDatabaseUrl, sqliteUrl, withoutDatabasePassword, type Config } from '../../kernel/config/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { connectDatabase, inTransaction, type Database, type Db, type DialectName } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Outbound } from '../../kernel/outbound/index.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import { copySnapshot, lastSwitchFault, prepareSwitch, type CopiedTable } from '../maintenance/index.ts'
import { serverVersion } from './database.policy.ts'
import { hostOf, probeDatabase } from './database.probe.ts'
import type { DatabaseCopiesTable } from './database.schema.ts'
import { databaseCopiesStore } from './database.store.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly 'database.copy': { readonly payload: { readonly copyId: string }; readonly progress: null }
  }
}

export interface DatabaseDeps {
  readonly config: Config
  readonly database: Database
  readonly db: Db
  readonly dialect: DialectName
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly bus: Bus
  readonly queue: Queue
  readonly vault: Vault
  readonly outbound: Outbound
}

const PURPOSE = 'database-copy'
const REASON_MAX = 500
const SHOWN_EVERY_MS = 500
const ORDER: StopOrder = 'restart'
type Place = DatabaseCopyView['target']

export async function viewDatabase(deps: DatabaseDeps): Promise<DatabaseView> {
  const { db, config } = deps
  const copy = await databaseCopiesStore.latest(db)
  return {
    ...(deps.dialect === 'sqlite' ? await sqliteFacts(db) : await mysqlFacts(db)),
    place: shownDatabaseUrl(config),
    isConfigured: config['database.url'] !== '',
    copy: copy === undefined ? null : present(copy),
    obstacle: await obstacleOf(deps, copy),
    switchFault: lastSwitchFault(config.data),
  }
}

async function sqliteFacts(db: Db): Promise<Pick<DatabaseView, 'engine' | 'version' | 'bytes'>> {
  const { rows } = await sql<{ version: string; bytes: number }>`select sqlite_version() as version,
    (select page_count from pragma_page_count()) * (select page_size from pragma_page_size()) as bytes`.execute(db)
  return { engine: 'SQLite', version: rows[0]?.version ?? '', bytes: Number(rows[0]?.bytes ?? 0) }
}

async function mysqlFacts(db: Db): Promise<Pick<DatabaseView, 'engine' | 'version' | 'bytes'>> {
  const { rows } = await sql<{ version: string; bytes: number | null }>`select version() as version,
    (select sum(data_length + index_length) from information_schema.tables where table_schema = database()) as bytes`.execute(
    db,
  )
  const { engine, version } = serverVersion(rows[0]?.version ?? '')
  return { engine, version, bytes: Number(rows[0]?.bytes ?? 0) }
}

function present({ target, state, reason, tables, started_at, finished_at }: DatabaseCopiesTable): DatabaseCopyView {
  return {
    ...{ target: JSON.parse(target) as Place, state, reason, startedAt: Number(started_at) },
    finishedAt: finished_at === null ? null : Number(finished_at),
    tables: JSON.parse(tables) as CopiedTableView[],
  }
}

/** What people write during a copy is not in it; a pause from before it on keeps the difference small and short to bring over. */
async function obstacleOf({ db }: Pick<DatabaseDeps, 'db'>, copy?: DatabaseCopiesTable): Promise<SwitchObstacle> {
  if (copy === undefined || copy.state === 'running') return 'not-copied'
  if (copy.state !== 'equal') return 'not-equal'
  const { paused_at: pausedAt } = await serverStateStore.read(db)
  if (pausedAt === null || pausedAt > Number(copy.read_at)) return 'not-paused'
  return CAN_RESTART ? '' : 'no-restart'
}

/** @throws AppError DATABASE_CONFIGURED where a switch could not take effect */
function requireOwnChoice({ config, dialect }: Pick<DatabaseDeps, 'config' | 'dialect'>): void {
  if (config['database.url'] !== '' || dialect !== 'sqlite') throw new AppError('DATABASE_CONFIGURED')
}

/** Begins a copy, which replaces what is known of the one before. */
export async function beginCopy(
  deps: DatabaseDeps,
  target: DatabaseTarget,
  { ownerId, record }: { readonly ownerId: string; readonly record: RecordChange },
): Promise<void> {
  const { db, clock, ids, queue, vault } = deps
  requireOwnChoice(deps)
  if ((await databaseCopiesStore.latest(db))?.state === 'running') throw new AppError('DATABASE_COPY_RUNNING')
  await probeDatabase(deps, target)
  const { password, ...place } = target
  const id = ids.next()
  const row: DatabaseCopiesTable = {
    ...{ id, target: JSON.stringify(place), sealed_password: vault.seal(PURPOSE, password), state: 'running' },
    ...{ reason: '', tables: '[]', job_id: '', started_at: clock.now(), read_at: 0, finished_at: null },
  }
  await inTransaction(db, async (tx) => {
    await databaseCopiesStore.replace(tx, row)
    const job = await queue.add({ kind: 'database.copy', ownerId, payload: { copyId: id }, progress: null }, tx)
    await databaseCopiesStore.change(tx, id, { job_id: job.id })
    await record(tx, databaseThing(place))
  })
}

export async function cancelCopy({ db, queue, clock }: DatabaseDeps): Promise<void> {
  const copy = await databaseCopiesStore.latest(db)
  if (copy?.state !== 'running') return
  await databaseCopiesStore.change(db, copy.id, { state: 'canceled', finished_at: clock.now() })
  await queue.cancel(copy.job_id)
}

/** The job: brings the target up to what the source was when it began; running it again costs only what is missing. */
export async function runCopy(deps: DatabaseDeps, copyId: string, signal: AbortSignal): Promise<void> {
  const { db, clock, config } = deps
  const row = await databaseCopiesStore.byId(db, copyId)
  if (row === undefined || row.state === 'canceled' || row.state === 'equal') return
  const url = await copyUrl(deps, row)
  await databaseCopiesStore.change(db, copyId, {
    state: 'running',
    reason: '',
    read_at: clock.now(),
    finished_at: null,
  })
  const progress = new Map<string, CopiedTableView>()
  const show = async (tables: Iterable<CopiedTableView>) =>
    databaseCopiesStore.change(db, copyId, { tables: JSON.stringify([...tables]) })
  const shown = setInterval(() => void show(progress.values()).catch(() => undefined), SHOWN_EVERY_MS)
  const target = connectDatabase(url)
  try {
    const tables = await copySnapshot(sqliteUrl(config.data), target, {
      signal,
      onProgress: (table, copied, total) => progress.set(table, { table, copied, total, sha256: '', equal: null }),
    })
    clearInterval(shown)
    await show(tables.map(compared))
    const state = tables.every(({ equal }) => equal) ? 'equal' : 'different'
    await databaseCopiesStore.change(db, copyId, { state, finished_at: clock.now() })
  } catch (thrown) {
    // Canceled, or the server stops: then it goes on after the next start.
    if (signal.aborted) throw thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const reason = withoutDatabasePassword(message, { data: config.data, 'database.url': url }).slice(0, REASON_MAX)
    await databaseCopiesStore.change(db, copyId, { state: 'failed', reason, finished_at: clock.now() })
    // What is refused will be refused again; a connection may come back.
    if (!(thrown instanceof Refused)) throw thrown
  } finally {
    clearInterval(shown)
    await target.close()
  }
}

function compared({ table, rows, sha256, equal }: CopiedTable): CopiedTableView {
  return { table, copied: rows, total: rows, sha256, equal }
}

/** Orders the restart that moves to the copy. @throws AppError DATABASE_COPY_UNEQUAL, DATABASE_NOT_PAUSED, OPERATION_UNSUPPORTED */
export async function switchDatabase(deps: DatabaseDeps, record: RecordChange): Promise<void> {
  requireOwnChoice(deps)
  const copy = await databaseCopiesStore.latest(deps.db)
  const obstacle = await obstacleOf(deps, copy)
  if (obstacle === 'not-paused') throw new AppError('DATABASE_NOT_PAUSED')
  if (obstacle === 'no-restart') throw new AppError('OPERATION_UNSUPPORTED')
  if (obstacle !== '' || copy === undefined) throw new AppError('DATABASE_COPY_UNEQUAL')
  const place = JSON.parse(copy.target) as Place
  await hostOf(deps, place.address)
  prepareSwitch(deps.config.data, urlOf(place, place.address, passwordOf(deps, copy)))
  await inTransaction(deps.db, async (tx) => {
    await orderStop(deps, tx, ORDER)
    await record(tx, databaseThing(place))
  })
  announceOrder(deps.bus)
}

/** Of the address that was looked at, so that a name server cannot lead elsewhere meanwhile. */
async function copyUrl(deps: DatabaseDeps, row: DatabaseCopiesTable): Promise<string> {
  const place = JSON.parse(row.target) as Place
  return urlOf(place, await hostOf(deps, place.address), passwordOf(deps, row))
}

/** What the operation log says was changed. */
export function databaseThing({ address, port, name }: Omit<Place, 'account'>) {
  return { kind: 'database', id: '', name: `${address}:${port}/${name}` } as const
}

function passwordOf({ vault }: Pick<DatabaseDeps, 'vault'>, { sealed_password }: DatabaseCopiesTable): string {
  return vault.open(PURPOSE, sealed_password)
}

function urlOf({ port, name, account }: Place, host: string, password: string): string {
  const [user, secret, database] = [account, password, name].map((part) => encodeURIComponent(part))
  return `mysql://${user}${secret === '' ? '' : `:${secret}`}@${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
}
