import type { UploadState } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import type { ByteSource, ObjectStore, SmallFileResult } from '@godwit/storage'
import {
  folderOf,
  nameOf,
  noteChange,
  rememberHashes,
  storageFault,
  tellingFaults,
  type Location,
  type Place,
} from '../files/index.ts'
import { failureFields, type UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { beside, keepBothNames, requireSize, rootOfBytes, targetResolver, type IntakeDeps } from '../intake/index.ts'
import { readFrames, type PackFrame } from './pack-frames.ts'
import type { PackMemory } from './pack-memory.ts'

/** What receiving packs needs. */
export interface PackDeps extends IntakeDeps {
  readonly memory: PackMemory
}

export interface PackRequest extends Place {
  readonly folder: string
  readonly source: ByteSource
  /** Announced bytes of the body; undefined when the sender did not say. */
  readonly length: number | undefined
  readonly signal: AbortSignal
}

export interface PackResult {
  readonly relativePath: string
  readonly code: number
  readonly message: string
  readonly state: UploadState
  readonly path: string
  readonly hash: string
}

/** A file of the pack on its way. */
interface Item {
  readonly frame: PackFrame
  target: Location | undefined
  hash: string
  /** Of the stored file; '' until then. */
  etag: string
  replacedBytes: number
  state: UploadState
  error: AppError | undefined
}

/**
 * Receives many small files; each is committed or refused by itself.
 * @throws AppError UPLOAD_PART_INVALID when the frames are malformed: nothing was written then
 */
export async function receivePack(deps: PackDeps, ctx: UserCtx, request: PackRequest): Promise<PackResult[]> {
  const { length, signal } = request
  return deps.memory.run({ userId: ctx.principal.id, length, signal }, (inTime) =>
    storePack(deps, ctx, { ...request, signal: inTime }),
  )
}

async function storePack(deps: PackDeps, ctx: UserCtx, request: PackRequest): Promise<PackResult[]> {
  const frames = await readFrames(request.source, request)
  const items = frames.map((frame): Item => {
    return { frame, target: undefined, hash: '', etag: '', replacedBytes: 0, state: 'open', error: undefined }
  })
  const targetOf = targetResolver(deps.files, ctx.principal, request)
  for (const item of items) await trying(item, () => prepare(deps, item, targetOf))
  const groups = Map.groupBy(items.filter(isOpen), (item) => folderKeyOf(item))
  const faults: unknown[] = []
  /** A fault is that of the files it was about; all others are stored, and told to be, all the same. */
  const failing: Failing = async (group, work) => {
    try {
      await work()
    } catch (thrown) {
      faults.push(thrown)
      failAll(group, thrown)
    }
  }
  for (const group of groups.values()) await failing(group, () => commitFolder({ deps, ctx, failing }, group))
  // Where nothing was stored the fault is the request's, and the sender may try all of it again.
  if (faults.length > 0 && items.every(({ state }) => state === 'failed')) throw faults[0]
  deps.outbox.nudge()
  return items.map((item) => present(deps, ctx, item))
}

function isOpen(item: Item): boolean {
  return item.state === 'open'
}

function folderKeyOf({ target }: Item): string {
  return target === undefined ? '' : folderOf(target).key
}

type Failing = (items: readonly Item[], work: () => Promise<void>) => Promise<void>

function failAll(group: readonly Item[], thrown: unknown): void {
  for (const item of group.filter(({ state }) => state !== 'skipped' && state !== 'failed')) {
    item.error = storageFault(thrown)
    item.state = 'failed'
  }
}

async function trying(item: Item, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    item.error = storageFault(thrown)
    item.state = 'failed'
  }
}

/** Target, size and hash of one file. */
async function prepare(deps: PackDeps, item: Item, targetOf: ReturnType<typeof targetResolver>): Promise<void> {
  const { relativePath, hash, content } = item.frame
  requireSize(deps, content.length)
  item.hash = rootOfBytes(content)
  if (hash !== undefined && hash !== item.hash) throw new AppError('UPLOAD_HASH_MISMATCH', { hash: item.hash })
  item.target = await targetOf({ filename: '', relativePath })
}

interface Committing {
  readonly deps: PackDeps
  readonly ctx: UserCtx
  readonly failing: Failing
}

/** All files of one folder, while no other name can appear in it by our own hand. */
async function commitFolder({ deps, ctx, failing }: Committing, items: readonly Item[]): Promise<void> {
  const first = items[0]?.target
  if (first === undefined) return
  await deps.files.locks.run(folderOf(first), async () => {
    const names = await namesIn(deps, folderOf(first))
    for (const item of items) await trying(item, () => choose(item, names))
    const chosen = items.filter(isOpen)
    await reserve(deps, ctx, chosen)
    for (const policy of ['fail', 'replace'] as const) {
      const batch = chosen.filter(
        (item) => isOpen(item) && (item.frame.conflict === 'replace') === (policy === 'replace'),
      )
      if (batch.length > 0) await failing(batch, () => write(deps, ctx, first.store, { batch, policy }))
    }
  })
}

/** What a folder holds, read once for all files of the pack; names of the pack itself count as taken. */
interface FolderNames {
  /** By their lower-case form. */
  readonly ofPack: Map<string, string>
  clashes(name: string): boolean
}

async function namesIn(deps: PackDeps, folder: Location): Promise<FolderNames> {
  const index = await tellingFaults(() => deps.files.indexes.of(folder))
  return {
    ofPack: new Map(),
    clashes: (name) => index.twinsOf(name).length > 0 || deps.files.locks.claimed(folder, name) !== undefined,
  }
}

/** Settles under which name a file is written. */
async function choose(item: Item, names: FolderNames): Promise<void> {
  if (item.target === undefined) return
  const { conflict } = item.frame
  for (const name of keepBothNames(nameOf(item.target))) {
    const to = beside(item.target, name)
    const look = await lookAt(to, names, conflict)
    if (look.isFree || (conflict === 'replace' && look.canReplace)) {
      item.target = to
      item.replacedBytes = look.bytes
      names.ofPack.set(name.toLowerCase(), name)
      return
    }
    if (conflict === 'skip') {
      item.state = 'skipped'
      return
    }
    if (conflict !== 'keep-both') throw new AppError(look.isClash ? 'NAME_CASE_CLASH' : 'PATH_EXISTS', { name })
  }
}

async function lookAt(to: Location, names: FolderNames, conflict: PackFrame['conflict']) {
  const name = nameOf(to)
  const twin = names.ofPack.get(name.toLowerCase())
  if (twin !== undefined) return { isFree: false, isClash: twin !== name, canReplace: false, bytes: 0 }
  const isClash = names.clashes(name)
  // The storage itself refuses a name that is there, so where that is the answer wanted nobody looks first.
  if (conflict === 'fail' && !isClash) return { isFree: true, isClash, canReplace: false, bytes: 0 }
  const entry = await to.store.stat(to.key)
  if (entry !== undefined) {
    return { isFree: false, isClash: false, canReplace: entry.kind === 'file', bytes: entry.size }
  }
  return { isFree: !isClash, isClash, canReplace: false, bytes: 0 }
}

/** One reservation for all; when it is too much, file by file, so that those that fit are kept. */
async function reserve(deps: PackDeps, ctx: UserCtx, items: readonly Item[]): Promise<void> {
  const { db, quotas } = deps
  const userId = ctx.principal.id
  try {
    await quotas.reserveBytes(db, userId, bytesOf(items))
  } catch (thrown) {
    if (toAppError(thrown).code !== 'QUOTA_EXCEEDED') throw thrown
    for (const item of items) await trying(item, () => quotas.reserveBytes(db, userId, item.frame.content.length))
  }
}

function bytesOf(items: readonly Item[]): number {
  return items.reduce((bytes, { frame }) => bytes + frame.content.length, 0)
}

interface Batch {
  readonly batch: readonly Item[]
  readonly policy: 'fail' | 'replace'
}

async function write(deps: PackDeps, ctx: UserCtx, store: ObjectStore, { batch, policy }: Batch): Promise<void> {
  const files = batch.map(({ frame, target }) => ({
    key: target?.key ?? '',
    content: frame.content,
    ...(frame.lastModified === 0 ? {} : { modifiedMs: frame.lastModified }),
  }))
  const results = await store.writeFiles(files, { conflict: policy }).catch((error: unknown): SmallFileResult[] => {
    const told = error instanceof Error ? error : new Error('not written', { cause: error })
    return files.map(({ key }) => ({ key, error: told }))
  })
  for (const [index, item] of batch.entries()) note(item, results[index])
  try {
    await book(deps, ctx, batch)
  } catch (thrown) {
    await deps.quotas.releaseBytes(deps.db, ctx.principal.id, bytesOf(batch)).catch((fault: unknown) => {
      deps.log.warn({ err: fault }, 'the reservation of a pack was not given back')
    })
    throw thrown
  }
  for (const { target, state } of batch) {
    if (target !== undefined && state === 'completed') noteChange(deps.files, target, 'file')
  }
}

function note(item: Item, result: SmallFileResult | undefined): void {
  if (result !== undefined && 'entry' in result) {
    item.state = 'completed'
    item.etag = result.entry.etag
    return
  }
  item.error = storageFault(result?.error ?? new Error('the storage did not answer for a file'))
  item.state = 'failed'
}

/** Books what was written and gives back what was not, with one event for each file, in one transaction. */
async function book(deps: PackDeps, ctx: UserCtx, batch: readonly Item[]): Promise<void> {
  const userId = ctx.principal.id
  const done = batch.filter(({ state }) => state === 'completed')
  const reserved = bytesOf(batch)
  const used = done.reduce((bytes, { frame, replacedBytes }) => bytes + frame.content.length - replacedBytes, 0)
  await inTransaction(deps.db, async (tx) => {
    await deps.quotas.commitBytes(tx, userId, { reserved, used })
    await rememberHashes(
      tx,
      deps.clock,
      done.flatMap(({ target, etag, hash }) =>
        target === undefined ? [] : [{ spaceId: target.place.spaceId, key: target.key, etag, hash }],
      ),
    )
    const events = done.flatMap(({ target, frame }) =>
      target === undefined
        ? []
        : [{ userId, spaceId: target.place.spaceId, path: target.path, size: frame.content.length }],
    )
    await deps.outbox.addAll(tx, 'file.committed', events)
  })
}

function present(deps: PackDeps, ctx: UserCtx, { frame, target, hash, state, error }: Item): PackResult {
  const base = { relativePath: frame.relativePath, state, path: target?.path ?? '', hash }
  if (error === undefined) return { ...base, code: 200, message: '' }
  if (error.status >= 500) deps.log.error(failureFields(ctx, error), 'a file of a pack was not stored')
  return { ...base, hash: '', code: error.wire, message: errorText(ctx.locale, error.code) }
}
