import type { Clock, Random } from '@godwit/base'
import type { Settings } from '../../foundation/settings/index.ts'
import { listStorages, type RunningStorages } from '../../foundation/storages/index.ts'
import type { Log } from '../../kernel/context.ts'
import { inTransaction, type Database, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import { TryLater, type Queue } from '../../kernel/queue/index.ts'
import { Refused } from '../../foundation/installation/index.ts'
import {
  backupFolder,
  backupPath,
  backupSize,
  isWithin,
  prepareBackupFolder,
  removeBackupFile,
  restoreDrill,
  writeBackup,
} from '../maintenance/index.ts'
import { beyond, isDue } from './backups.policy.ts'
import type { BackupsTable } from './backups.schema.ts'
import { BACKUP_SETTINGS } from './backups.settings.ts'
import { backupsStore } from './backups.store.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly 'backup.write': { readonly payload: { readonly backupId: string }; readonly progress: null }
    readonly 'backup.drill': { readonly payload: { readonly backupId: string }; readonly progress: null }
  }
}

export interface BackupsDeps {
  readonly db: Db
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly locks: Locks
  readonly log: Log
  readonly queue: Queue
  readonly settings: Settings
  readonly storages: RunningStorages
  /** The data folder. */
  readonly data: string
  /** Bytes of a disk that files leave free. */
  readonly reserveBytes: number
}

/** What it takes to begin one; a job writes it. */
export type BeginDeps = Pick<BackupsDeps, 'db' | 'clock' | 'ids' | 'queue' | 'settings' | 'data'>

const REASON_MAX = 500
const LOCK = 'backups'
const BUSY_MS = 30_000
/** A backup that takes longer is given up. */
const LONGEST_MS = 24 * 3_600_000

export async function folderOf({ settings, data }: Pick<BackupsDeps, 'settings' | 'data'>): Promise<string> {
  return backupFolder(data, (await settings.of(BACKUP_SETTINGS))['backup.folder'])
}

/** Begins a backup, unless one is under way. @param ownerId account; '' for the schedule @returns its id */
export async function beginBackup(deps: BeginDeps, ownerId: string): Promise<string> {
  const { db, queue, ids, clock } = deps
  const now = clock.now()
  for (const running of await backupsStore.inState(db, 'running')) {
    if (running.started_at > now - LONGEST_MS) return running.id
    await backupsStore.change(db, running.id, { state: 'failed', reason: 'it did not end in time', finished_at: now })
  }
  const id = ids.next()
  const ends = { bytes: 0, files: 0, reason: '', finished_at: null }
  const drill = { drill_state: '' as const, drill_reason: '', drilled_at: null }
  const row: BackupsTable = {
    ...{ id, state: 'running', occasion: ownerId === '' ? 'schedule' : 'manual', started_at: now },
    ...{ file: backupPath(await folderOf(deps), now), ...ends, ...drill },
  }
  const job = { kind: 'backup.write', payload: { backupId: id }, progress: null } as const
  // A row without its job would count as the backup of the day.
  await inTransaction(db, async (tx) => {
    await backupsStore.insert(tx, row)
    await queue.add({ ...job, ownerId, deadlineMs: LONGEST_MS }, tx)
  })
  return id
}

/** Begins the backup of the day when its hour has come. */
export async function beginScheduled(deps: BeginDeps): Promise<void> {
  const { db, clock, settings } = deps
  const { 'backup.switch': isOn, 'backup.hour': hour } = await settings.of(BACKUP_SETTINGS)
  if (isOn !== 1) return
  const last = await backupsStore.lastScheduled(db)
  if (isDue(clock.now(), hour, last?.started_at)) await beginBackup(deps, '')
}

/** Writes the archive of a backup; running it again writes it anew. One at a time on all nodes. */
export async function writeOne(deps: BackupsDeps, backupId: string, signal: AbortSignal): Promise<void> {
  const { db, clock, settings, queue, log } = deps
  await alone(deps, async () => {
    const row = await backupsStore.byId(db, backupId)
    if (row === undefined || row.state === 'done') return
    await backupsStore.change(db, backupId, { state: 'running', reason: '' })
    try {
      await requireOutside(deps, row.file)
      prepareBackupFolder(await folderOf(deps))
      const { entries, skipped } = await writeBackup({ ...deps, signal }, row.file, { force: true })
      if (skipped.length > 0) log.warn({ file: row.file, count: skipped.length }, 'files are left out of a backup')
      const bytes = backupSize(row.file) ?? 0
      await backupsStore.change(db, backupId, { state: 'done', files: entries, bytes, finished_at: clock.now() })
    } catch (thrown) {
      // The server stops: it goes on after the next start.
      if (signal.aborted) throw thrown
      await backupsStore.change(db, backupId, { state: 'failed', reason: reasonOf(thrown), finished_at: clock.now() })
      // What is refused will be refused again; a full disk may be emptied.
      if (thrown instanceof Refused) return
      throw thrown
    }
    const { 'backup.keep': keep, 'backup.drill': drills } = await settings.of(BACKUP_SETTINGS)
    await forgetOld(deps, keep)
    if (drills === 1 && row.occasion === 'schedule') await beginDrill({ db, queue }, backupId, '')
  })
}

/** @throws AppError PARAMETER_INVALID for a backup that is not there, or not done */
export async function beginDrill(
  { db, queue }: Pick<BackupsDeps, 'db' | 'queue'>,
  backupId: string,
  ownerId: string,
): Promise<void> {
  const row = await backupsStore.byId(db, backupId)
  if (row?.state !== 'done') throw new AppError('PARAMETER_INVALID', { field: 'backupId' })
  if (row.drill_state === 'running') return
  await inTransaction(db, async (tx) => {
    await backupsStore.change(tx, backupId, { drill_state: 'running', drill_reason: '' })
    await queue.add({ kind: 'backup.drill', ownerId, payload: { backupId }, progress: null }, tx)
  })
}

/** Restores an archive into a place of its own and compares it. */
export async function drillOne(deps: BackupsDeps, backupId: string, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  await alone(deps, async () => {
    const row = await backupsStore.byId(db, backupId)
    if (row === undefined) return
    try {
      prepareBackupFolder(await folderOf(deps))
      const { problems } = await restoreDrill({ ...deps, signal }, row.file)
      await backupsStore.change(db, backupId, {
        ...{ drill_state: problems.length === 0 ? 'passed' : 'failed', drilled_at: clock.now() },
        drill_reason: problems.join('; ').slice(0, REASON_MAX),
      })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      // That it cannot be restored is what the drill found out.
      const reason = { drill_reason: reasonOf(thrown), drilled_at: clock.now() }
      await backupsStore.change(db, backupId, { drill_state: 'failed', ...reason })
    }
  })
}

async function alone(deps: BackupsDeps, work: () => Promise<void>): Promise<void> {
  let isMine = false
  await deps.locks.tryRun(LOCK, async () => {
    isMine = true
    await work()
  })
  if (!isMine) throw new TryLater(BUSY_MS)
}

/** An archive within a storage would be part of the next one. @throws Refused */
async function requireOutside(deps: BackupsDeps, file: string): Promise<void> {
  for (const { kind, name, place } of await listStorages(deps))
    if (kind === 'local' && isWithin(file, place))
      throw new Refused(`the folder of the backups lies within the storage ${name}: choose another one`)
}

async function forgetOld({ db, log }: BackupsDeps, keep: number): Promise<void> {
  for (const { id, file } of beyond(await backupsStore.inState(db, 'done'), keep)) {
    removeBackupFile(file)
    await backupsStore.remove(db, id)
    log.info({ file }, 'an old backup was removed')
  }
  for (const { id } of beyond(await backupsStore.inState(db, 'failed'), keep)) await backupsStore.remove(db, id)
}

function reasonOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, REASON_MAX)
}
