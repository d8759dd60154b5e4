import { LEAF_BYTES, MiB, Semaphore } from '@godwit/base'
import {
  treeHash,
  type CloseReason,
  type EmptyEntry,
  type EmptyMade,
  type FileFault,
  type FilesCommitted,
  type HashName,
  type SpanAdopted,
  type SpansWritten,
  type StoredFile,
  type Target,
  type TargetFile,
  type TargetSpan,
  type TargetState,
  type TargetTask,
  type TreeHash,
  type VisibleEntry,
  type WriteSpans,
} from '@godwit/transfer/endpoints'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { paceUntil, type Pace } from '../account-speeds/index.ts'
import {
  find,
  pathNames,
  placeOf,
  requireFolder,
  sameEntry,
  within,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import { hashAt } from '../quotas/index.ts'
import { completeUpload } from './intake.completion.ts'
import { createUpload } from './intake.creation.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { targetOf } from './intake.grants.ts'
import type { UploadRow } from './intake.schema.ts'
import { folderResolver } from './intake.targets.ts'
import { bucketOfRow } from './buckets.ts'
import { EarlierUploads, versionOf, type Version } from './earlier-uploads.ts'
import { LeafWriter, readStored } from './leaf-writer.ts'
import type { LiveUpload } from './live-uploads.ts'
import { OrderedCalls } from './ordered-calls.ts'
import { faultOf, throwFirst } from './transfer-faults.ts'
import { dropUploads, taskMark } from './transfer-parts.ts'
import { freeBytesAt, readVisible } from './transfer-reads.ts'

/** Files and leaves that one target works on at once. */
const AT_ONCE = 8
/** Of one target, where the storage takes only whole parts. */
const MOST_HELD_BYTES = 256 * MiB

export interface TransferPlace extends PlaceIds {
  /** Must exist; the paths of the transfer count from it. */
  readonly folder: string
  /** A limit of this transfer alone; that of the account counts anyway. */
  readonly pace?: Pace
}

/** A target that follows the rights of its account. */
interface RenewableTarget extends Target {
  /** Goes on with the rights of now, also with the files that are on their way. @throws AppError as openTransferTarget() */
  renew(principal: AccountPrincipal): Promise<void>
}

/** A file of the transfer on its way. */
interface File {
  readonly live: LiveUpload
  readonly writer: LeafWriter
  /** With whose rights its target was opened last; undefined: with those of somebody before. */
  openedFor: AccountPrincipal | undefined
}

/**
 * A folder of a place as the target of a transfer. Each file is an upload like any other: rights, limits, quota, leases and
 * the one publisher are those of the intake. What is known of an interrupted task is its uploads.
 * @throws AppError as access.open() for an upload
 */
export async function openTransferTarget(
  deps: IntakeDeps,
  ctx: UserCtx,
  place: TransferPlace,
): Promise<RenewableTarget> {
  const { principal } = ctx
  const root = await requireFolder(
    await deps.files.access.open({ principal }, placeOf(place), place.folder, 'uploadFile'),
  )
  return new TransferTarget(deps, ctx, { place, root })
}

interface Opened {
  readonly place: TransferPlace
  readonly root: Location
}

class TransferTarget implements RenewableTarget {
  /** An object store has no place for them. */
  readonly keeps = { permissions: false, links: false, holes: false }
  readonly #deps: IntakeDeps
  #ctx: UserCtx
  readonly #place: TransferPlace
  #root: Location
  readonly #calls = new OrderedCalls()
  readonly #turns = new Semaphore(AT_ONCE)
  readonly #pace: Pace
  readonly #ownPace: Pace | undefined
  readonly #closing = new AbortController()
  #hash: TreeHash = treeHash('blake3')
  #task = ''
  #earlier: EarlierUploads
  /** By version. */
  readonly #files = new Map<string, Promise<File>>()
  readonly #complete = new Map<number, { readonly version: Version; readonly file: File }>()
  readonly #failed = new Set<number>()

  constructor(deps: IntakeDeps, ctx: UserCtx, { place, root }: Opened) {
    this.#deps = deps
    this.#ctx = ctx
    this.#place = place
    this.#root = root
    this.#earlier = new EarlierUploads(deps, ctx, { place, root, task: '' })
    this.#pace = deps.speeds.paceOf(ctx.principal, 'upload', place)
    this.#ownPace = place.pace
  }

  async renew(principal: AccountPrincipal): Promise<void> {
    const { folder } = this.#place
    const root = await this.#deps.files.access.open({ principal }, placeOf(this.#place), folder, 'uploadFile')
    this.#root = sameEntry(root, this.#root)
    this.#ctx = { ...this.#ctx, principal }
  }

  look(paths: readonly string[]): Promise<ReadonlyArray<VisibleEntry | undefined>> {
    return this.#calls.exclusive(() => Promise.all(paths.map((path) => this.#turns.run(() => this.#visible(path)))))
  }

  async #visible(path: string): Promise<VisibleEntry | undefined> {
    const found = await this.#find(path)
    if (found === undefined) return undefined
    const { kind, size, modifiedMs } = found.entry
    return { kind: kind === 'folder' ? 'directory' : 'file', size, mtimeMs: Math.trunc(modifiedMs) }
  }

  async #find(path: string): ReturnType<typeof find> {
    try {
      return await find(pathNames(`/${path}`).reduce(within, this.#root))
    } catch (thrown) {
      // What rules hide does not exist; whether it can be written is found out then.
      if (thrown instanceof AppError && thrown.status === 400) return undefined
      throw thrown
    }
  }

  matches(spans: readonly TargetSpan[], hash: HashName): Promise<readonly boolean[]> {
    const { leaf } = treeHash(hash)
    return this.#calls.exclusive(() =>
      Promise.all(
        spans.map((span) =>
          this.#turns.run(async () => {
            const found = await this.#find(span.path)
            // Whoever may not read the file must not learn by guesses what is in it.
            if (found?.entry.kind !== 'file' || !found.location.permits('download')) return false
            const bytes = await readVisible(found.location, span)
            return bytes.length === span.length && leaf(bytes).every((byte, at) => byte === span.leaf[at])
          }),
        ),
      ),
    )
  }

  freeBytes(): Promise<number | undefined> {
    const bucket = bucketOfRow({ user_id: this.#ctx.principal.id, group_id: this.#place.groupId })
    return freeBytesAt(this.#deps, this.#root, bucket)
  }

  open({ taskId, hash }: TargetTask): Promise<TargetState> {
    this.#hash = treeHash(hash)
    this.#task = taskMark(Buffer.from(taskId).toString('hex'))
    this.#earlier = new EarlierUploads(this.#deps, this.#ctx, {
      place: this.#place,
      root: this.#root,
      task: this.#task,
    })
    return this.#calls.exclusive(async () => {
      const files: StoredFile[] = []
      for (const row of await this.#earlier.ownRows())
        files.push(row.state === 'completed' ? await this.#committed(row) : await this.#earlier.open(row))
      files.push(...(await this.#earlier.ofOthers(new Set(files.map(({ path }) => path)))))
      return { isResumed: files.length > 0, files, isEmpty: await this.#isEmpty() }
    })
  }

  async #committed(row: UploadRow): Promise<StoredFile> {
    const path = this.#earlier.pathOf(row)
    const found = await this.#find(path)
    const booked = found && (await hashAt(this.#deps.db, { spaceIds: [row.space_id], key: found.location.key }))
    const isCommitted = found !== undefined && booked?.etag === found.entry.etag && found.entry.size === row.size
    return { path, size: Number(row.size), mtimeMs: Number(row.last_modified), isCommitted, leaves: [] }
  }

  async #isEmpty(): Promise<boolean> {
    if (this.#root.mayHideBelow) return false
    return withAppErrors(async () => {
      for await (const { names } of this.#root.store.list(this.#root.key)) if (names.length > 0) return false
      return true
    })
  }

  write({ block, spans }: WriteSpans): Promise<SpansWritten> {
    return this.#calls.shared(async () => {
      const bytes = spans.reduce((sum, { length }) => sum + length, 0)
      // What waits here fills the receive window, and so slows the sender down.
      // Its own comes first: what waits for that holds no place of another transfer of the account.
      await paceUntil(this.#ownPace, bytes, this.#closing.signal)
      await paceUntil(this.#pace, bytes, this.#closing.signal)
      const began = this.#deps.clock.monotonic()
      const mismatched: number[] = []
      const failed: FileFault[] = []
      const results = await Promise.allSettled(
        spans.map((span, index) =>
          this.#turns.run(async () => {
            const bytes = block.subarray(span.blockOffset, span.blockOffset + span.length)
            if (!this.#isLeaf(bytes, span)) mismatched.push(index)
            else await this.#attempt(span, failed, () => this.#writeLeaf(span, bytes))
          }),
        ),
      )
      throwFirst(results)
      mismatched.sort((one, other) => one - other)
      return { mismatched, failed, uncommitted: this.#complete.size, busyMs: this.#deps.clock.monotonic() - began }
    })
  }

  #isLeaf(bytes: Uint8Array, { leaf }: TargetSpan): boolean {
    return Buffer.compare(this.#hash.leaf(bytes), leaf) === 0
  }

  async #writeLeaf(span: TargetSpan, bytes: Uint8Array): Promise<void> {
    const file = await this.#fileOf(span)
    const { writer } = file
    await this.#requireStill(file)
    if (writer.heldBytes > MOST_HELD_BYTES) throw new AppError('UPLOAD_BUSY')
    await writer.write({ offset: span.fileOffset, bytes })
    if (writer.isComplete) this.#complete.set(span.file, { version: span, file })
  }

  #fileOf(wanted: TargetFile): Promise<File> {
    const key = versionOf(wanted)
    const known = this.#files.get(key)
    if (known !== undefined) return known
    const opening = this.#begin(wanted)
    this.#files.set(key, opening)
    return opening
  }

  async #begin(wanted: TargetFile): Promise<File> {
    const { principal } = this.#ctx
    const earlier = await this.#earlier.take(wanted)
    const live = earlier ?? (await this.#create(wanted))
    return { live, writer: new LeafWriter(this.#deps, live), openedFor: earlier === undefined ? principal : undefined }
  }

  /** Asked once for each file whenever the rights were renewed. @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND */
  async #requireStill(file: File): Promise<void> {
    const { principal } = this.#ctx
    if (file.openedFor === principal) return
    file.live.target = await targetOf(this.#deps, file.live, principal)
    file.openedFor = principal
  }

  async #create({ path, size, mtimeMs }: Version): Promise<LiveUpload> {
    const { live } = await createUpload(this.#deps, this.#ctx, {
      ...this.#place,
      ...{ filename: '', relativePath: path, size, lastModified: mtimeMs, metadata: this.#task },
      ...{ conflict: 'replace', resume: false, carrier: 'transfer' },
      ...(this.#root.store.capabilities.freeParts ? { partSize: LEAF_BYTES } : {}),
    })
    return live
  }

  /** Runs `work` for a file; what is wrong with the file ends it, what is wrong with the server ends the transfer. */
  async #attempt({ file }: Pick<TargetFile, 'file'>, failed: FileFault[], work: () => Promise<void>): Promise<boolean> {
    if (this.#failed.has(file)) return false
    try {
      await work()
      return true
    } catch (thrown) {
      const error = storageError(thrown)
      if (error.status === 503 || error.code === 'INTERNAL') throw error
      if (!this.#failed.has(file)) failed.push({ file, code: faultOf(error) })
      this.#failed.add(file)
      return false
    }
  }

  adopt(span: TargetSpan): Promise<SpanAdopted> {
    return this.#calls.exclusive(async () => {
      const failed: FileFault[] = []
      const bytes = await this.#earlierLeaf(span)
      const isSame = bytes !== undefined && (await this.#attempt(span, failed, () => this.#writeLeaf(span, bytes)))
      return { isSame, failed, uncommitted: this.#complete.size }
    })
  }

  /** The same leaf of another version of the file. */
  async #earlierLeaf(span: TargetSpan): Promise<Uint8Array | undefined> {
    if (!this.#root.store.capabilities.readableUploads) return undefined
    const range = { start: span.fileOffset, end: span.fileOffset + span.length }
    for (const live of this.#earlier.otherVersions(span)) {
      if (live.durable.missing(range.start, range.end).length > 0) continue
      const bytes = await withAppErrors(() => readStored(live, range))
      if (this.#isLeaf(bytes, span)) return bytes
    }
    return undefined
  }

  makeEmpty(entries: readonly EmptyEntry[]): Promise<EmptyMade> {
    const makeFolder = folderResolver(this.#deps.files, this.#ctx, this.#place)
    return this.#calls.exclusive(async () => {
      const failed: FileFault[] = []
      let folders = 0
      for (const entry of entries) {
        if (entry.kind === 'link') failed.push({ file: entry.file, code: 'LINK_REFUSED' })
        else if (entry.kind === 'directory') {
          const isMade = await this.#attempt(
            entry,
            failed,
            async () => void (await makeFolder(pathNames(`/${entry.path}`))),
          )
          if (isMade) folders++
        } else await this.#attempt(entry, failed, () => this.#prepareEmpty(entry))
      }
      return { folders, failed, uncommitted: this.#complete.size }
    })
  }

  async #prepareEmpty(entry: EmptyEntry): Promise<void> {
    const wanted = { ...entry, size: 0 }
    this.#complete.set(entry.file, { version: wanted, file: await this.#fileOf(wanted) })
  }

  commit(): Promise<FilesCommitted> {
    return this.#calls.exclusive(() => this.#commitComplete())
  }

  async #commitComplete(): Promise<FilesCommitted> {
    const began = this.#deps.clock.monotonic()
    const failed: FileFault[] = []
    let committed = 0
    const results = await Promise.allSettled(
      [...this.#complete].map(([number, { version, file }]) =>
        this.#turns.run(async () => {
          const isDone = await this.#attempt({ file: number }, failed, () => this.#publish(file))
          if (isDone) committed++
          this.#complete.delete(number)
          this.#files.delete(versionOf(version))
          this.#earlier.forget(version)
        }),
      ),
    )
    throwFirst(results)
    return { committed, failed, busyMs: this.#deps.clock.monotonic() - began }
  }

  async #publish(file: File): Promise<void> {
    const { live, writer } = file
    await writer.release()
    await this.#requireStill(file)
    await completeUpload(this.#deps, live, { conflict: 'replace' })
  }

  /** Times and permissions are given with the file; a storage changes neither later. */
  setAttributes(): Promise<void> {
    return Promise.resolve()
  }

  close(reason: CloseReason): Promise<void> {
    this.#closing.abort()
    return this.#calls.exclusive(async () => {
      await this.#commitComplete()
      for (const opening of this.#files.values()) {
        const [file] = await Promise.allSettled([opening])
        if (file.status === 'fulfilled') await file.value.writer.release()
      }
      if (reason === 'complete') await this.#forgetTask()
    })
  }

  async #forgetTask(): Promise<void> {
    await dropUploads(this.#deps, await this.#earlier.ownRows())
  }
}
