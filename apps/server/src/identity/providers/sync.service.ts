import type { DirectorySync, DirectoryChange } from '@godwit/contract'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/context.ts'
import { LockBusy, type Locks } from '../../kernel/locks/index.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import { applySteps, everythingPresent, type AccountsDeps } from './accounts.service.ts'
import { locksAllowed, planOf, type Present, type Step } from './people.policy.ts'
import type { Directory, Person } from './provider.types.ts'
import type { ProviderRow, SyncRow } from './providers.schema.ts'
import { openDirectory, originOf, type OpenDeps } from './providers.kinds.ts'
import { providersStore } from './providers.store.ts'
import { syncsStore } from './syncs.store.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly 'directory.sync': { readonly payload: null; readonly progress: null }
  }
}

export interface SyncDeps extends OpenDeps, AccountsDeps {
  readonly queue: Pick<Queue, 'add'>
  readonly locks: Pick<Locks, 'run'>
  readonly log: Pick<Log, 'error'>
}

/** Synchronizations that are remembered for each provider. */
const KEPT = 50
const BATCH = 200
/** A node that died keeps its lock for seconds. */
const LOCK_WAIT_MS = 60_000
const MINUTE_MS = 60_000
const NO_COUNTS: Record<DirectoryChange, number> = { add: 0, change: 0, lock: 0, unlock: 0, skip: 0 }

export interface WantedSync {
  readonly providerId: number
  readonly dryRun: boolean
  readonly locksMax: number | undefined
  /** Account and id of who asks; '' is the schedule. */
  readonly by: { readonly id: string; readonly account: string }
}

/** Puts a synchronization into the queue. @throws AppError AUTH_PROVIDER_NOT_FOUND, PARAMETER_INVALID, SYNC_RUNNING */
export async function requestSync(deps: SyncDeps, { providerId, dryRun, locksMax, by }: WantedSync): Promise<SyncRow> {
  return inTransaction(deps.db, async (tx) => {
    // Two requests at once wait for each other here, so that the second one sees the first.
    await providersStore.hold(tx, providerId)
    const provider = await requireProvider(tx, providerId)
    requireDirectory(deps, provider)
    if ((await syncsStore.openOf(tx, providerId)) !== undefined) throw new AppError('SYNC_RUNNING')
    const job = await deps.queue.add({ kind: 'directory.sync', ownerId: by.id, payload: null, progress: null }, tx)
    const row: SyncRow = {
      ...{ id: job.id, provider_id: providerId, provider_name: provider.name, dry_run: dryRun ? 1 : 0 },
      ...{ state: 'queued', started_by: by.account, locks_max: locksMax ?? null, started_at: deps.clock.now() },
      ...{ ended_at: null, read_entries: 0, written: 0, counts: JSON.stringify(NO_COUNTS), error: '' },
    }
    await syncsStore.insert(tx, row)
    await syncsStore.forgetOlder(tx, providerId, KEPT)
    return row
  })
}

/** Asks for a synchronization of every directory whose time has come. */
export async function requestDue(deps: SyncDeps): Promise<void> {
  for (const provider of await providersStore.all(deps.db)) {
    const { syncMinutes } = originOf(provider)
    if (provider.enabled === 0 || syncMinutes === 0) continue
    const now = deps.clock.now()
    // What began later than now was begun by a clock that was wrong: waiting for that time would be no synchronization at all.
    const last = await syncsStore.lastOf(deps.db, provider.id, now + MINUTE_MS)
    if (last !== undefined && now - Number(last.started_at) < syncMinutes * MINUTE_MS) continue
    const wanted = { providerId: provider.id, dryRun: false, locksMax: undefined, by: { id: '', account: '' } }
    await requestSync(deps, wanted).catch((thrown: unknown) => {
      // One that somebody started by hand is as good.
      if (toAppError(thrown).code !== 'SYNC_RUNNING') throw thrown
    })
  }
}

/**
 * Does the synchronization of a job. What it has written when it is interrupted stays, and the next run finds the rest.
 * A failure is written down with the synchronization; nothing is changed unless the directory gave its whole list.
 */
export async function runSync(deps: SyncDeps, syncId: string, signal: AbortSignal): Promise<void> {
  const row = await syncsStore.byId(deps.db, syncId)
  if (row === undefined || row.ended_at !== null) return
  try {
    await deps.locks.run(`directory:${row.provider_id}`, ({ signal: held }) => synchronize(deps, row, held), {
      ...{ signal, waitMs: LOCK_WAIT_MS },
    })
    await end(deps, syncId, '')
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const error = thrown instanceof LockBusy ? new AppError('SYNC_RUNNING') : toAppError(thrown)
    deps.log.error({ err: thrown, syncId }, 'a directory could not be synchronized')
    await end(deps, syncId, error.code)
  }
}

async function end({ db, clock }: SyncDeps, syncId: string, error: string): Promise<void> {
  await syncsStore.change(db, syncId, { state: error === '' ? 'done' : 'failed', error, ended_at: clock.now() })
}

/** A job that ended without its handler: the synchronization ends with it. */
export async function failSync(deps: SyncDeps, syncId: string): Promise<void> {
  const row = await syncsStore.byId(deps.db, syncId)
  if (row !== undefined && row.ended_at === null) await end(deps, syncId, 'INTERNAL')
}

async function synchronize(deps: SyncDeps, row: SyncRow, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const stored = await requireProvider(db, row.provider_id)
  await syncsStore.change(db, row.id, { state: 'running' })
  const provider = requireDirectory(deps, stored)
  const people = await peopleOf(deps, { row, provider }, signal)
  const present = await everythingPresent(db, { providerId: stored.id, ...originOf(stored) })
  const steps = planOf(people, present)
  requireWhole(people, present)
  requireFewLocks(row, steps, present)
  await requireGone(provider, steps, new Set(people.map(({ key }) => key)), signal)
  await writeDown(deps, row, steps)
  if (row.dry_run === 0) await apply(deps, { row, stored, steps, present }, signal)
}

/** Everybody in the directory. How many were read is shown meanwhile. */
export async function peopleOf(
  { db }: Pick<SyncDeps, 'db'>,
  { row, provider }: { readonly row: Pick<SyncRow, 'id'>; readonly provider: Directory },
  signal: AbortSignal,
): Promise<readonly Person[]> {
  let writing: Promise<void> | undefined
  const people = await provider.people(signal, (read) => {
    // Shown while it goes on; what is not written in time is overtaken by the next page.
    writing ??= syncsStore
      .change(db, row.id, { read_entries: read })
      // So is what could not be written.
      .catch(() => undefined)
      .finally(() => (writing = undefined))
  })
  await writing
  await syncsStore.change(db, row.id, { read_entries: people.length })
  return people
}

/** @throws AppError LDAP_ANSWER_INVALID when nobody is there any more, or two entries claim to be one */
function requireWhole(people: readonly Person[], { known }: Present): void {
  const isEmpty = people.length === 0 && known.size > 0
  if (isEmpty || new Set(people.map(({ key }) => key)).size < people.length) throw new AppError('LDAP_ANSWER_INVALID')
}

/** @throws AppError SYNC_LOCKS_TOO_MANY, unless whoever asked has seen the number; a dry run shows it */
function requireFewLocks(row: SyncRow, steps: readonly Step[], { known }: Present): void {
  const locks = steps.filter(({ change }) => change === 'lock').length
  const most = row.locks_max ?? locksAllowed([...known.values()].filter(({ isLocked }) => !isLocked).length)
  if (row.dry_run === 0 && locks > most) throw new AppError('SYNC_LOCKS_TOO_MANY', { locks, most })
}

/**
 * Asks for those who were not in the list once more, one by one: a list that left somebody out is not the whole one.
 * @throws AppError LDAP_ANSWER_INVALID
 */
async function requireGone(
  provider: Directory,
  steps: readonly Step[],
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const gone = steps.flatMap((step) => (step.change === 'lock' ? [step.login] : []))
  if (gone.length === 0) return
  const found = await provider.find(gone, signal)
  // People that are switched off are in the list; whoever took over a name has another key and is in it too.
  if (found.some(({ key }) => !seen.has(key))) throw new AppError('LDAP_ANSWER_INVALID', { reason: 'incomplete' })
}

async function writeDown({ db }: SyncDeps, row: SyncRow, steps: readonly Step[]): Promise<void> {
  const counts = { ...NO_COUNTS }
  for (const { change } of steps) counts[change]++
  const rows = steps.map((step, seq) => ({
    ...{ sync_id: row.id, seq, kind: step.change, account: step.account.slice(0, 255) },
    detail: detailOf(step),
  }))
  await inTransaction(db, async (tx) => {
    await syncsStore.forgetChanges(tx, row.id)
    await syncsStore.writeChanges(tx, rows)
    await syncsStore.change(tx, row.id, { counts: JSON.stringify(counts) })
  })
}

function detailOf(step: Step): string {
  if (step.change === 'skip') return step.reason
  return step.change === 'change' || step.change === 'unlock' ? step.what.join(' ') : ''
}

interface Application {
  readonly row: SyncRow
  readonly stored: ProviderRow
  readonly steps: readonly Step[]
  readonly present: Present
}

async function apply(deps: SyncDeps, { row, stored, steps, present }: Application, signal: AbortSignal): Promise<void> {
  const writing = { origin: { providerId: stored.id, ...originOf(stored) }, groups: present.groups }
  let written = 0
  for (const part of partsOf(steps)) {
    for (let at = 0; at < part.length; at += BATCH) {
      signal.throwIfAborted()
      written += await applySteps(deps, part.slice(at, at + BATCH), writing)
      await syncsStore.change(deps.db, row.id, { written })
    }
  }
}

/**
 * Who is gone is locked first and newcomers are added last: more of them than the edition allows end a synchronization, and
 * nobody who left may keep their account for it.
 */
function partsOf(steps: readonly Step[]): ReadonlyArray<readonly Step[]> {
  const { lock = [], add = [], ...others } = Object.groupBy(steps, ({ change }) => change)
  return [lock, [...(others.change ?? []), ...(others.unlock ?? [])], add]
}

/** @throws AppError PARAMETER_INVALID for a provider that gives no list of its people */
function requireDirectory(deps: OpenDeps, row: ProviderRow): Directory {
  const directory = openDirectory(deps, row)
  if (directory === undefined) throw new AppError('PARAMETER_INVALID', { field: 'providerId' })
  return directory
}

export async function requireProvider(db: Db | Tx, id: number): Promise<ProviderRow> {
  const row = await providersStore.byId(db, id)
  if (row === undefined) throw new AppError('AUTH_PROVIDER_NOT_FOUND')
  return row
}

export function presentSync(row: SyncRow): DirectorySync {
  return {
    ...{ id: row.id, providerId: row.provider_id, providerName: row.provider_name, dryRun: row.dry_run === 1 },
    ...{ state: row.state, by: row.started_by, startedAt: Number(row.started_at) },
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    ...{ read: row.read_entries, written: row.written, error: row.error },
    counts: JSON.parse(row.counts) as DirectorySync['counts'],
  }
}
