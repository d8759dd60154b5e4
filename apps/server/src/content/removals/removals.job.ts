import { LIMITS } from '@godwit/contract'
import { StorageError } from '@godwit/storage'
import { storageError, storagesStore } from '../../foundation/storages/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { openJobsOf, TryLater, type Job, type Run } from '../../kernel/queue/index.ts'
import { personalHome, storeOf } from '../access/index.ts'
import { hasStepsOf, noteChange } from '../files/index.ts'
import { forgetVersion } from '../kept-versions/index.ts'
import { forgetHashes, forgetUsage, versionsStore } from '../quotas/index.ts'
import { purgeAllOf } from '../recycle/index.ts'
import { handOverHome } from './hand-over.ts'
import type { HomePlace, RemovalJobDeps, RemovalPayload, RemovalProgress, Settling } from './removals.deps.ts'
import type { HandedOver, RemovedAccountRow } from './removals.schema.ts'
import { removalsStore } from './removals.store.ts'
import { dropStage, holdsUnusable, removeTree } from './stage.ts'

type RemovalJob = Job<RemovalPayload, RemovalProgress>

/** Until what the account had begun has ended. */
const QUIET_MS = 500

/**
 * Sees to the files of a removed account: leaves them, hands them to another account, or deletes them with their versions and the
 * bin. Every step bears repetition: what it looks at is the disk and the books, and a home that is gone has been seen to.
 */
export async function runRemoval(
  deps: RemovalJobDeps,
  job: RemovalJob,
  run: Run<RemovalPayload, RemovalProgress>,
): Promise<RemovalProgress> {
  const { db } = deps
  const row = await removalsStore.byId(db, job.payload.accountId)
  // Settled by an earlier run, or taken over by a later job.
  if (row === undefined || row.state !== 'working' || row.job_id !== job.id) return job.progress
  try {
    const taken = await deps.files.steps.resume(job.id)
    await requireQuiet(deps, row.id)
    await settle(deps, { row, jobId: job.id, origin: job.payload.origin, signal: run.signal, taken })
    await deps.files.steps.forget(db, job.id)
    return { bytes: Number(row.bytes) }
  } catch (thrown) {
    run.signal.throwIfAborted()
    if (thrown instanceof TryLater) throw thrown
    const { code, details } = thrown instanceof StorageError ? storageError(thrown) : toAppError(thrown)
    const error = JSON.stringify({ code, details })
    const isFinal = thrown instanceof AppError
    const of = { id: row.id, jobId: job.id }
    await removalsStore.change(db, of, isFinal ? { error, state: 'failed' } : { error })
    throw thrown
  }
}

/** Uploads, jobs and changes of the account end before anything else is done. @throws TryLater until they have */
async function requireQuiet({ db, queue, intake, files }: RemovalJobDeps, accountId: string): Promise<void> {
  const jobs = await openJobsOf(db, accountId, 'account-files')
  for (const id of jobs) await queue.cancel(id)
  const areJobsOver = jobs.length === 0 || (await openJobsOf(db, accountId, 'account-files')).length === 0
  const areUploadsOver = await intake.endAllOf(accountId)
  if (await hasStepsOf(db, accountId)) await files.steps.recover()
  if (!areJobsOver || !areUploadsOver || (await hasStepsOf(db, accountId))) throw new TryLater(QUIET_MS)
}

async function settle(deps: RemovalJobDeps, settling: Settling): Promise<void> {
  const { db } = deps
  const { row, jobId, origin, signal } = settling
  const of = { id: row.id, jobId }
  if (row.files === 'keep') {
    await removalsStore.change(db, of, { state: 'kept' })
    return
  }
  const places = await placesOf(deps, row)
  if (row.files === 'hand-over') {
    for (const [at, place] of places.entries()) await handOverHome(deps, settling, { ...place, at })
  }
  for (const place of places) await deletePlace(deps, row, { ...place, signal })
  await purgeAllOf(deps, row.id, { origin, signal })
  await dropStage(deps, row.id)
  await finish(deps, of)
}

/** Nothing is left of the account, on the storages and in the books. */
async function finish({ db, clock }: RemovalJobDeps, of: { readonly id: string; readonly jobId: string }) {
  await inTransaction(db, async (tx) => {
    if (!(await removalsStore.change(tx, of, { state: 'done', error: '' }))) return
    const row = await removalsStore.byId(tx, of.id)
    if (row === undefined) return
    await forgetUsage(tx, row.id)
    await storagesStore.removePlacesOf(tx, row.id)
    const { id: accountId, account, to_id: toId } = row
    const handedOver = Object.values(JSON.parse(row.folders) as Record<string, HandedOver>)
    const folders = handedOver.filter(({ isDone }) => isDone).map(({ path }) => path)
    const event = { accountId, account, toId, folders, bytes: Number(row.bytes), at: clock.now() }
    await recordEvent({ tx, clock }, 'account.files-settled', event)
  })
}

async function placesOf({ db, storages }: RemovalJobDeps, row: RemovedAccountRow): Promise<HomePlace[]> {
  const places = await storagesStore.placesOf(db, row.id)
  return Promise.all(
    places.map(async ({ space_id: spaceId }) => ({
      spaceId,
      store: await storeOf(storages, { userId: row.id, spaceId, groupId: LIMITS.defaultGroupId }),
      key: personalHome(row.home, spaceId),
    })),
  )
}

/** What is left of a home goes for good. A home that was copied without all of it stays as it is. */
async function deletePlace(
  { db, files }: RemovalJobDeps,
  { id, files: fate }: RemovedAccountRow,
  { store, spaceId, key, signal }: HomePlace & { readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const versions = await versionsStore.inBucket(db, id, spaceId)
    if (versions.length === 0) break
    for (const version of versions) {
      signal.throwIfAborted()
      await forgetVersion(db, store, version)
    }
  }
  if (fate === 'hand-over' && (await holdsUnusable({ store, spaceId, key }, signal))) return
  await removeTree(store, key, signal)
  await forgetHashes(db, spaceId, key)
  noteChange(files, { store, key }, 'gone')
}
