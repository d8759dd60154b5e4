import type { ConflictPolicy, UploadResult } from '@godwit/contract'
import type { Entry, OnConflict } from '@godwit/storage'
import { clashOf, noteChange, requireNoClash } from '../files/index.ts'
import { folderOf, nameOf, type Location } from '../access/index.ts'
import { parseOrigin } from '../file-events/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { bookFiles, type VersionRow } from '../quotas/index.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { hasReason } from './intake.errors.ts'
import { uploadsStore } from './intake.store.ts'
import { beside, keepBothNames } from './intake.targets.ts'
import { endUpload, takeStep } from './intake.transitions.ts'
import { treeHashOf } from '../tree-hashes/index.ts'
import type { LiveUpload } from './live-uploads.ts'

/** The step that shows a file, written down before it is taken, so that whoever comes later takes it again or knows it was refused. */
interface Publishing {
  readonly key: string
  readonly path: string
  readonly onConflict: OnConflict
  readonly size: number
  readonly replacedBytes: number
  readonly isReplacement: boolean
  /** Tag of the file that it replaces. */
  readonly replacedTag?: string | undefined
  /** What keeps the file that stands there. */
  readonly version?: VersionRow | undefined
  readonly hash?: string
  readonly sha256?: string | undefined
}

export interface PublishRequest {
  /** undefined where only the visible file can be read: it is taken from there then. */
  readonly hash: string | undefined
  readonly sha256: string | undefined
  readonly size: number
  readonly conflict: ConflictPolicy
  /** Only this content is replaced, and not what took its place meanwhile. */
  readonly replaces?: string | undefined
}

/** Answers of completed uploads are kept this long, for callers that did not hear the first one. */
const KEEP_RESULT_MS = 24 * 3_600_000

/**
 * Shows the file under the name that the policy allows. While the folder is held, no other name that clashes can appear
 * in it by our own hand.
 * @throws AppError PATH_EXISTS, NAME_CASE_CLASH, UPLOAD_FAILED, and as the storage refuses
 */
export async function publish(deps: IntakeDeps, live: LiveUpload, request: PublishRequest): Promise<UploadResult> {
  return deps.files.locks.run(folderOf(live.target), async (held) => {
    for (const name of namesFor(live)) {
      const to = beside(live.target, name)
      const look = await lookAt(deps, to, request)
      if (look === 'next') continue
      if (look === 'skip') return skip(deps, live)
      await requireUnlocked(deps, live, { to, isReplacement: look.isReplacement })
      const version = look.isReplacement ? await versionOf(deps, live, to) : undefined
      const step = { ...stepTo(to, look, request), version }
      await takeStep(deps, live, { event: 'complete', change: { publishing: JSON.stringify(step) } })
      // The lease of the folder may have run out during the wait for the database: then the step is taken later.
      held.throwIfAborted()
      const result = await showAndBook(deps, live, step)
      if (result !== 'taken') return result
      // Somebody outside put a file there since the look.
      if (request.conflict === 'skip') return skip(deps, live)
      if (request.conflict !== 'keep-both') throw new AppError('PATH_EXISTS', { kind: 'file' })
    }
    // Only a storage that cannot complete under another name comes here: the chosen one was taken meanwhile.
    throw new AppError('PATH_EXISTS', { kind: 'file' })
  })
}

function versionOf({ files }: IntakeDeps, { row }: LiveUpload, { store, place, key }: Location) {
  const { user_id: userId } = row
  return files.versions.plan({ store, place, key, userId, origin: parseOrigin(row.origin, userId) })
}

function namesFor(live: LiveUpload): Iterable<string> {
  const name = nameOf(live.target)
  return live.store.capabilities.retarget ? keepBothNames(name) : [name]
}

/** What stands at a name that may be taken. */
interface Standing {
  readonly isReplacement: boolean
  readonly replacedBytes: number
  readonly replacedTag?: string
}

function stepTo(to: Location, standing: Standing, { size, hash, sha256, conflict }: PublishRequest): Publishing {
  return {
    key: to.key,
    path: to.path,
    onConflict: conflict === 'replace' ? 'replace' : 'fail',
    size,
    ...standing,
    ...(hash === undefined ? {} : { hash }),
    sha256,
  }
}

async function requireUnlocked(
  { files }: IntakeDeps,
  { row }: LiveUpload,
  { to, isReplacement }: { readonly to: Location; readonly isReplacement: boolean },
): Promise<void> {
  const { by, door } = parseOrigin(row.origin, row.user_id)
  const change = { key: to.key, what: isReplacement ? 'content' : 'member' } as const
  await files.fileLocks.require(to.place.spaceId, [change], { userId: by.id, door })
}

/** What stands at a name decides whether it is tried. @throws AppError PATH_EXISTS, NAME_CASE_CLASH, FILE_CHANGED */
async function lookAt(
  deps: IntakeDeps,
  to: Location,
  { conflict, replaces }: Pick<PublishRequest, 'conflict' | 'replaces'>,
): Promise<'next' | 'skip' | Standing> {
  const taken = await withAppErrors(() => to.store.stat(to.key))
  if (replaces !== undefined && taken?.etag !== replaces) throw new AppError('FILE_CHANGED')
  if (taken === undefined) {
    if (conflict !== 'keep-both') await requireNoClash(deps.files, to)
    else if ((await clashOf(deps.files, folderOf(to), nameOf(to))) !== undefined) return 'next'
    return { isReplacement: false, replacedBytes: 0 }
  }
  if (conflict === 'keep-both') return 'next'
  if (conflict === 'skip') return 'skip'
  if (conflict === 'fail' || taken.kind === 'folder') throw new AppError('PATH_EXISTS', { kind: taken.kind })
  to.require('replace')
  return { isReplacement: true, replacedBytes: taken.size, replacedTag: taken.etag }
}

/**
 * An upload that a crash or a fault left in `processing`: the step that was written down is taken again, or taken back. It replaces
 * only what it was to replace: a file that came under the name meanwhile is newer.
 * @throws AppError FILE_BUSY, and as publish()
 */
export async function resumePublishing(deps: IntakeDeps, live: LiveUpload): Promise<UploadResult | 'taken'> {
  const { publishing } = live.row
  if (publishing === null) throw new Error('a step without a description')
  const step = JSON.parse(publishing) as Publishing
  const folder = { store: live.store, key: step.key.slice(0, Math.max(0, step.key.lastIndexOf('/'))) }
  return deps.files.locks.run(folder, async (held) => {
    const standing = await withAppErrors(() => live.store.stat(step.key))
    held.throwIfAborted()
    const isMeant = standing !== undefined && standing.etag === step.replacedTag
    // Told not to replace, the storage still recognizes the file that this upload has become before.
    return showAndBook(deps, live, isMeant ? step : { ...step, onConflict: 'fail' })
  })
}

/**
 * Takes a step that is written down. Where nobody can say whether the storage took it, the upload stays in `processing`
 * and the step is taken again later.
 * @returns 'taken' when the name was taken; the upload is open again then
 */
async function showAndBook(deps: IntakeDeps, live: LiveUpload, step: Publishing): Promise<UploadResult | 'taken'> {
  const { versions } = deps.files
  const putBack = async (): Promise<void> => {
    if (step.version !== undefined) await versions.putBack(live.store, step.version)
  }
  let etag: string
  try {
    // What is not to be replaced is not put aside either.
    if (step.version !== undefined && step.onConflict === 'replace') await versions.putAside(live.store, step.version)
    etag = (await completeInStore(live, step)).etag
  } catch (thrown) {
    if (hasReason(thrown, 'upload-failed', 'upload-gone')) {
      await putBack()
      await endUpload(deps, live, 'fail')
      throw new AppError('UPLOAD_FAILED', undefined, { cause: thrown })
    }
    if (hasReason(thrown, 'unreachable', 'io')) throw storageError(thrown)
    await putBack()
    await takeStep(deps, live, { event: 'retreat', change: { publishing: null } })
    if (hasReason(thrown, 'exists')) return 'taken'
    throw storageError(thrown)
  }
  return book(deps, live, { ...step, etag })
}

function completeInStore(live: LiveUpload, step: Publishing): Promise<Entry> {
  const { last_modified: modifiedMs } = live.row
  return live.store.completeUpload(live.stored, {
    size: step.size,
    conflict: step.onConflict,
    ...(step.key === live.stored.key ? {} : { key: step.key }),
    ...(modifiedMs === 0 ? {} : { modifiedMs: Number(modifiedMs) }),
  })
}

/** A step that was taken: what the storage now calls the content. */
interface Published extends Publishing {
  readonly etag: string
}

/** The file is there: it is booked in the transaction that ends the upload. */
async function book(deps: IntakeDeps, live: LiveUpload, step: Published): Promise<UploadResult> {
  const { path, key, size, sha256, etag, replacedBytes, isReplacement } = step
  const version = await deps.files.versions.asKept(live.store, step.version)
  const hash = step.hash ?? (await treeHashOf(size, () => live.store.openRead(key)))
  const result: UploadResult = {
    state: 'completed',
    path,
    name: nameOf({ path }),
    size,
    hash,
    ...(sha256 === undefined ? {} : { sha256 }),
  }
  const { user_id: userId, space_id: spaceId, group_id: groupId, reserved_bytes: reserved } = live.row
  const change = {
    publishing: null,
    reserved_bytes: 0,
    result: JSON.stringify(result),
    expires_at: deps.clock.now() + KEEP_RESULT_MS,
  }
  await takeStep(deps, live, { event: 'publish', change }, async (tx) => {
    await uploadsStore.removeSpans(tx, live.id)
    const file = { spaceId, groupId, key, path, etag, hash, size, replacedBytes, isReplacement, version }
    const origin = parseOrigin(live.row.origin, userId)
    await bookFiles(deps, tx, { origin, userId, groupId, reservedBytes: Number(reserved), files: [file] })
  })
  live.replaceSpans([])
  deps.traffic.end(live.row, { outcome: 'done', path })
  deps.outbox.nudge()
  noteChange(deps.files, { store: live.store, key }, 'file')
  return result
}

async function skip(deps: IntakeDeps, live: LiveUpload): Promise<UploadResult> {
  await endUpload(deps, live, 'skip')
  return skippedResult(live)
}

export function skippedResult(live: LiveUpload): UploadResult {
  const { path, size } = live.row
  return { state: 'skipped', path, name: path.slice(path.lastIndexOf('/') + 1), size: size ?? 0, hash: '' }
}
