import { createHash } from 'node:crypto'
import type { ConflictPolicy, UploadResult } from '@godwit/contract'
import type { Entry, OnConflict } from '@godwit/storage'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import { clashOf, folderOf, nameOf, noteChange, requireNoClash, type Location } from '../files/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { bookFiles } from '../quotas/index.ts'
import { coversAll, rootOf, treeHashOf } from './leaf-hashes.ts'
import type { LiveUpload } from './live-uploads.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { closedBecause, hasReason } from './intake.errors.ts'
import { nextState, type UploadEvent } from './intake.machine.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore } from './intake.store.ts'
import { beside, keepBothNames } from './intake.targets.ts'

export interface CompleteRequest {
  readonly hash?: string | undefined
  readonly sha256?: string | undefined
  readonly conflict?: ConflictPolicy | undefined
}

/** The step that shows a file, written down before it is taken, so that a restart takes it again or knows it was refused. */
interface Publishing {
  readonly key: string
  readonly path: string
  readonly onConflict: OnConflict
  readonly size: number
  readonly replacedBytes: number
  readonly hash?: string
  readonly sha256: string | undefined
}

/** Answers of completed uploads are kept this long, for callers that did not hear the first one. */
const KEEP_RESULT_MS = 24 * 3_600_000

/**
 * Makes the file visible in one step and answers what it became; asked again, it answers the same.
 * @throws AppError UPLOAD_INCOMPLETE, UPLOAD_HASH_MISMATCH, PATH_EXISTS, PATH_NOT_FOUND, UPLOAD_FAILED
 */
export async function completeUpload(
  deps: IntakeDeps,
  live: LiveUpload,
  request: CompleteRequest,
): Promise<UploadResult> {
  return live.inTurn(async () => {
    if (live.state === 'completed' && live.row.result !== null) return JSON.parse(live.row.result) as UploadResult
    if (live.state === 'skipped') return skippedResult(live)
    const closed = closedBecause(live.state)
    if (closed !== undefined) throw closed
    const size = requireWhole(live)
    // Everything is durable: whoever still writes sends bytes a second time.
    await live.stopWriters(new AppError('UPLOAD_BUSY'))
    const hashes = await checkedHashes(deps, live, { size, request })
    return publish(deps, live, { ...hashes, size, conflict: request.conflict ?? (live.row.conflict as ConflictPolicy) })
  })
}

/** @throws AppError UPLOAD_SIZE_INVALID, UPLOAD_INCOMPLETE with the first gaps */
function requireWhole(live: LiveUpload): number {
  const { size } = live.row
  if (size === null) throw new AppError('UPLOAD_SIZE_INVALID')
  const missing = live.durable.missing(0, size)
  if (missing.length > 0) {
    throw new AppError('UPLOAD_INCOMPLETE', { missing: missing.slice(0, 100).map(({ start, end }) => [start, end]) })
  }
  return size
}

interface Hashes {
  /** undefined where only the visible file can be read: it is taken from there then. */
  readonly hash: string | undefined
  readonly sha256: string | undefined
}

/** Compares what is stored with every hash that was declared. After a difference nothing counts as received. */
async function checkedHashes(
  deps: IntakeDeps,
  live: LiveUpload,
  { size, request }: { readonly size: number; readonly request: CompleteRequest },
): Promise<Hashes> {
  const open = () => live.store.openUpload(live.stored)
  const { readableUploads } = live.store.capabilities
  const isKnown = coversAll(size, live.nodes)
  const hash = isKnown || readableUploads ? await rootOf(size, live.nodes, open) : undefined
  const declared = [live.row.declared_hash, request.hash].filter((one) => one != null)
  const declared256 = [live.row.declared_sha256, request.sha256].filter((one) => one != null)
  const isUnchecked = hash === undefined && declared.length > 0
  // What cannot be read before it is visible cannot be compared before it is visible.
  if (isUnchecked || (declared256.length > 0 && !readableUploads)) throw new AppError('OPERATION_UNSUPPORTED')
  const sha256 = declared256.length === 0 ? undefined : await sha256Of(live, size)
  if (declared.every((one) => one === hash) && declared256.every((one) => one === sha256)) return { hash, sha256 }
  await uploadsStore.removeSpans(deps.db, live.id)
  live.replaceSpans([])
  throw new AppError('UPLOAD_HASH_MISMATCH', hash === undefined ? undefined : { hash })
}

async function sha256Of(live: LiveUpload, size: number): Promise<string> {
  const digest = createHash('sha256')
  if (size > 0) {
    await using reader = await live.store.openUpload(live.stored)
    for await (const chunk of reader.stream({ start: 0, end: size })) digest.update(chunk)
  }
  return digest.digest('hex')
}

interface PublishRequest extends Hashes {
  readonly size: number
  readonly conflict: ConflictPolicy
}

/** While the folder is held, no other name that clashes can appear in it by our own hand. */
async function publish(deps: IntakeDeps, live: LiveUpload, request: PublishRequest): Promise<UploadResult> {
  return deps.files.locks.run(folderOf(live.target), async () => {
    for (const name of namesFor(live)) {
      const to = beside(live.target, name)
      const look = await lookAt(deps, to, request.conflict)
      if (look === 'next') continue
      if (look === 'skip') return skip(deps, live)
      const result = await take(deps, live, stepTo(to, look.replacedBytes, request))
      if (result !== 'taken') return result
      // Somebody outside put a file there since the look.
      if (request.conflict === 'skip') return skip(deps, live)
      if (request.conflict !== 'keep-both') throw new AppError('PATH_EXISTS', { kind: 'file' })
    }
    // Only a storage that cannot complete under another name comes here: the chosen one was taken meanwhile.
    throw new AppError('PATH_EXISTS', { kind: 'file' })
  })
}

function namesFor(live: LiveUpload): Iterable<string> {
  const name = nameOf(live.target)
  return live.store.capabilities.retarget ? keepBothNames(name) : [name]
}

function stepTo(to: Location, replacedBytes: number, { size, hash, sha256, conflict }: PublishRequest): Publishing {
  return {
    key: to.key,
    path: to.path,
    onConflict: conflict === 'replace' ? 'replace' : 'fail',
    size,
    replacedBytes,
    ...(hash === undefined ? {} : { hash }),
    sha256,
  }
}

/** What stands at a name decides whether it is tried. @throws AppError PATH_EXISTS, NAME_CASE_CLASH */
async function lookAt(
  deps: IntakeDeps,
  to: Location,
  conflict: ConflictPolicy,
): Promise<'next' | 'skip' | { readonly replacedBytes: number }> {
  const taken = await withAppErrors(() => to.store.stat(to.key))
  if (taken === undefined) {
    if (conflict !== 'keep-both') await requireNoClash(deps.files, to)
    else if ((await clashOf(deps.files, folderOf(to), nameOf(to))) !== undefined) return 'next'
    return { replacedBytes: 0 }
  }
  if (conflict === 'keep-both') return 'next'
  if (conflict === 'skip') return 'skip'
  if (conflict === 'fail' || taken.kind === 'folder') throw new AppError('PATH_EXISTS', { kind: taken.kind })
  return { replacedBytes: taken.size }
}

/** One try. @returns 'taken' when the name was taken; the upload is open again then */
async function take(deps: IntakeDeps, live: LiveUpload, step: Publishing): Promise<UploadResult | 'taken'> {
  await move(deps, live, { event: 'complete', change: { publishing: JSON.stringify(step) } })
  let etag: string
  try {
    etag = (await completeInStore(live, step)).etag
  } catch (thrown) {
    if (hasReason(thrown, 'upload-failed', 'upload-gone')) {
      await failUpload(deps, live)
      throw new AppError('UPLOAD_FAILED', undefined, { cause: thrown })
    }
    await move(deps, live, { event: 'retreat', change: { publishing: null } })
    if (hasReason(thrown, 'exists')) return 'taken'
    throw storageError(thrown)
  }
  return settle(deps, live, { ...step, etag })
}

function completeInStore(live: LiveUpload, step: Publishing): Promise<Entry> {
  const { last_modified: modifiedMs } = live.row
  return live.store.completeUpload(live.stored, {
    size: step.size,
    conflict: step.onConflict,
    ...(step.key === live.stored.key ? {} : { key: step.key }),
    ...(modifiedMs === 0 ? {} : { modifiedMs }),
  })
}

/** A step that was taken: what the storage now calls the content. */
interface Published extends Publishing {
  readonly etag: string
}

/** The file is there: books it, notes what it must hash to, and tells everyone, in one transaction. */
async function settle(deps: IntakeDeps, live: LiveUpload, step: Published): Promise<UploadResult> {
  const { path, key, size, sha256, etag } = step
  const hash = step.hash ?? (await treeHashOf(size, () => live.store.openRead(key)))
  const to = { ...live.target, key, path }
  const result: UploadResult = {
    state: 'completed',
    path,
    name: nameOf(to),
    size,
    hash,
    ...(sha256 === undefined ? {} : { sha256 }),
  }
  const { user_id: userId, space_id: spaceId, reserved_bytes: reservedBytes } = live.row
  const change = {
    publishing: null,
    reserved_bytes: 0,
    result: JSON.stringify(result),
    expires_at: deps.clock.now() + KEEP_RESULT_MS,
  }
  await move(deps, live, { event: 'publish', change }, async (tx) => {
    await uploadsStore.removeSpans(tx, live.id)
    const file = { spaceId, key, path, etag, hash, size, replacedBytes: step.replacedBytes }
    await bookFiles(deps, tx, { userId, reservedBytes, files: [file] })
  })
  live.replaceSpans([])
  deps.outbox.nudge()
  noteChange(deps.files, to, 'file')
  return result
}

async function skip(deps: IntakeDeps, live: LiveUpload): Promise<UploadResult> {
  await end(deps, live, 'skip')
  return skippedResult(live)
}

function skippedResult(live: LiveUpload): UploadResult {
  const { path, size } = live.row
  return { state: 'skipped', path, name: path.slice(path.lastIndexOf('/') + 1), size: size ?? 0, hash: '' }
}

/** Gives up an unfinished upload and its bytes. @throws AppError UPLOAD_NOT_FOUND when there is nothing left to give up */
export async function abortUpload(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  await live.stopWriters(new AppError('UPLOAD_NOT_FOUND'))
  await live.inTurn(async () => {
    if (nextState(live.state, 'abort') === undefined) throw new AppError('UPLOAD_NOT_FOUND')
    await end(deps, live, 'abort')
  })
}

export async function expireUpload(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  await live.stopWriters(new AppError('UPLOAD_EXPIRED'))
  await live.inTurn(async () => {
    if (nextState(live.state, 'expire') !== undefined) await end(deps, live, 'expire')
  })
}

/** The storage cannot be trusted with these bytes any more. */
export async function failUpload(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  if (nextState(live.state, 'fail') !== undefined) await end(deps, live, 'fail')
}

/** Leaves the upload for good: the reservation goes back, then the bytes. */
async function end(deps: IntakeDeps, live: LiveUpload, event: UploadEvent): Promise<void> {
  const { user_id: userId, reserved_bytes: reserved } = live.row
  await move(deps, live, { event, change: { reserved_bytes: 0, publishing: null } }, async (tx) => {
    await deps.quotas.releaseBytes(tx, userId, reserved)
    await uploadsStore.removeSpans(tx, live.id)
  })
  live.replaceSpans([])
  if (live.row.store_upload !== '') await live.store.abortUpload(live.stored)
}

interface Step {
  readonly event: UploadEvent
  readonly change: Partial<UploadRow>
}

/**
 * Takes a step of the machine, together with what belongs to it.
 * @throws Error when the machine knows no such step; AppError UPLOAD_BUSY when another process was faster
 */
async function move(
  deps: IntakeDeps,
  live: LiveUpload,
  { event, change }: Step,
  also: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const from = live.state
  const to = nextState(from, event)
  if (to === undefined) throw new Error(`an upload that is ${from} cannot ${event}`)
  const changed = { ...change, state: to }
  await inTransaction(deps.db, async (tx) => {
    if (!(await uploadsStore.change(tx, live.id, [from], changed))) throw new AppError('UPLOAD_BUSY')
    await also(tx)
  })
  live.row = { ...live.row, ...changed }
}

/**
 * After a restart: every step that was written down is taken again, which answers as the first time, or taken back.
 * @returns uploads that were finished or taken back
 */
export async function recoverUploads(deps: IntakeDeps): Promise<number> {
  const rows = await uploadsStore.inState(deps.db, 'processing')
  for (const { id } of rows) {
    const live = await deps.live.get(id)
    if (live !== undefined) await live.inTurn(() => recover(deps, live))
  }
  return rows.length
}

async function recover(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  const step = live.row.publishing === null ? undefined : (JSON.parse(live.row.publishing) as Publishing)
  try {
    if (step === undefined) throw new Error('a step without a description')
    const { etag } = await completeInStore(live, step)
    await settle(deps, live, { ...step, etag })
  } catch (thrown) {
    deps.log.warn({ err: thrown, uploadId: live.id }, 'an upload could not be finished after the restart')
    if (hasReason(thrown, 'upload-failed', 'upload-gone')) await failUpload(deps, live)
    else await move(deps, live, { event: 'retreat', change: { publishing: null } })
  }
}
