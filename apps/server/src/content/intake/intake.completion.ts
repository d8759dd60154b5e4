import { createHash } from 'node:crypto'
import type { ConflictPolicy, UploadResult } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { closedBecause } from './intake.errors.ts'
import { publish, resumePublishing, skippedResult, type PublishRequest } from './intake.publishing.ts'
import { uploadsStore } from './intake.store.ts'
import { withWholeUpload } from './intake.transitions.ts'
import { expectedOfRow } from './guest-files.ts'
import { coversAll, rootOf } from '../tree-hashes/index.ts'
import type { LiveUpload } from './live-uploads.ts'

export interface CompleteRequest {
  readonly hash?: string | undefined
  readonly sha256?: string | undefined
  readonly conflict?: ConflictPolicy | undefined
  /** Tag of the content that it replaces, where that matters. */
  readonly replaces?: string | undefined
}

/**
 * Makes the file visible in one step and answers what it became; asked again, it answers the same. An upload that a fault
 * left between the two is finished, or goes on from where it was.
 * @throws AppError UPLOAD_INCOMPLETE, UPLOAD_HASH_MISMATCH, PATH_EXISTS, PATH_NOT_FOUND, FILE_CHANGED, FILE_LOCKED, UPLOAD_FAILED
 */
export async function completeUpload(
  deps: IntakeDeps,
  live: LiveUpload,
  request: CompleteRequest,
): Promise<UploadResult> {
  const known = resultOf(live)
  if (known !== undefined) return known
  if (live.state === 'open') {
    // Before anybody is stopped: a caller that asks too early must not cut off its own parts.
    if (deps.leases.isShared) await deps.live.reload(live)
    requireWhole(live)
  }
  return withWholeUpload(deps, live, {
    // Everything is durable: whoever still writes sends bytes a second time.
    reason: new AppError('UPLOAD_BUSY'),
    work: () => completeAlone(deps, live, request),
  })
}

/** @throws as completeUpload() */
async function completeAlone(deps: IntakeDeps, live: LiveUpload, request: CompleteRequest): Promise<UploadResult> {
  const known = resultOf(live)
  if (known !== undefined) return known
  if (live.state === 'processing') {
    const resumed = await resumePublishing(deps, live)
    if (resumed !== 'taken') return resumed
  }
  const closed = closedBecause(live.state)
  if (closed !== undefined) throw closed
  const size = requireWhole(live)
  const expected = await expectedOfRow(deps, live.row, { size, isWhole: true })
  const hashes = await checkedHashes(deps, live, { size, request, expected })
  const conflict = request.conflict ?? (live.row.conflict as ConflictPolicy)
  return publish(deps, live, { ...hashes, size, conflict, replaces: request.replaces })
}

/** What a settled upload answered; undefined for others. */
function resultOf(live: LiveUpload): UploadResult | undefined {
  if (live.state === 'skipped') return skippedResult(live)
  if (live.state !== 'completed' || live.row.result === null) return undefined
  return JSON.parse(live.row.result) as UploadResult
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

interface Declared {
  readonly size: number
  readonly request: CompleteRequest
  /** SHA-256 that whoever asked for the file said; '' for any. */
  readonly expected: string
}

/** Compares what is stored with every hash that was declared. After a difference nothing counts as received. */
async function checkedHashes(
  deps: IntakeDeps,
  live: LiveUpload,
  { size, request, expected }: Declared,
): Promise<Pick<PublishRequest, 'hash' | 'sha256'>> {
  const open = () => live.store.openUpload(live.stored)
  const { readableUploads } = live.store.capabilities
  const isKnown = coversAll(size, live.nodes)
  const hash = isKnown || readableUploads ? await rootOf(size, live.nodes, open) : undefined
  const declared = [live.row.declared_hash, request.hash].filter((one) => one != null)
  const declared256 = [live.row.declared_sha256, request.sha256].filter((one) => one != null)
  const needs256 = declared256.length > 0 || expected !== ''
  const isUnchecked = hash === undefined && declared.length > 0
  // What cannot be read before it is visible cannot be compared before it is visible.
  if (isUnchecked || (needs256 && !readableUploads)) throw new AppError('OPERATION_UNSUPPORTED')
  const sha256 = needs256 ? await sha256Of(live, size) : undefined
  const isMeant = expected === '' || expected === sha256
  const isSame = declared.every((one) => one === hash) && declared256.every((one) => one === sha256)
  if (isSame && isMeant) return { hash, sha256 }
  await uploadsStore.removeSpans(deps.db, live.id)
  live.replaceSpans([])
  if (isSame) throw new AppError('LINK_FILE_CHECKSUM', { sha256 })
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
