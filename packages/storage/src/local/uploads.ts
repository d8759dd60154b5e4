import fs from 'node:fs'
import { KiB, MiB, type Clock } from '@godwit/base'
import { StorageError } from '../errors.ts'
import { checkEntryKey, folderOf } from '../keys.ts'
import type {
  ByteSource,
  CompleteUpload,
  CreateUpload,
  Entry,
  PartPlace,
  Upload,
  WriteOptions,
} from '../object-store.ts'
import { LentBlocks } from '../lent-blocks.ts'
import { AlignedBlocks, BLOCK_BYTES } from './aligned-blocks.ts'
import { errnoOf, unless } from './disk-errors.ts'
import type { Disk, DiskStat } from './disk.ts'
import { toEntry } from './entries.ts'
import { FILE_MODE, type EntryPlace, type Folders } from './folders.ts'
import { publish, type Relinking } from './publish.ts'
import type { SpaceGuard } from './space-guard.ts'
import { BATCH_BYTES, writeSpan } from './span-writer.ts'
import type { Staging } from './staging.ts'

/** Memory in which all spans together gather their next writes, shared so that each write is still worth a call. */
const BATCHES_BYTES = 64 * MiB
const BATCH_LEAST_BYTES = 64 * KiB
/** Blocks for sources that fill them: three for each of ten fast ones. */
const LENT_BLOCKS = 32

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR, O_WRONLY } = fs.constants

export interface LocalDeps {
  readonly disk: Disk
  readonly clock: Clock
  readonly folders: Folders
  readonly staging: Staging
  readonly guard: SpaceGuard
  readonly relinking: Relinking
}

/**
 * Uploads on the local disk. What exists at each moment:
 * - created: `.godwit/parts/<id>`, already of the announced size, without blocks (a sparse file);
 * - parts: written into it by position, flushed before they are acknowledged;
 * - completed: the same inode under its name; nothing hidden any more. `Upload.provider` keeps the inode, so that a second
 *   completion recognises the first.
 */
export class LocalUploads {
  readonly #deps: LocalDeps
  readonly #writers = new Map<string, number>()
  readonly #blocks = new AlignedBlocks()
  readonly #lent = new LentBlocks({ count: LENT_BLOCKS, bytes: BLOCK_BYTES })
  /** Spans being written. */
  #spans = 0
  /** Uploads whose flush failed. Their hidden file is removed as well, so that a later process cannot trust it either. */
  readonly #failed = new Set<string>()

  constructor(deps: LocalDeps) {
    this.#deps = deps
  }

  async create(request: CreateUpload, partSize: number): Promise<Upload> {
    const { disk, folders, staging, guard } = this.#deps
    checkEntryKey(request.key)
    const base = await staging.baseFor(folderOf(request.key))
    const id = staging.newId()
    await guard.check(folders.path(base), request.size ?? 0)
    const stat = await folders.beside(staging.key(base, id), async (path, folder) => {
      const file = await disk.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE)
      try {
        if (request.size !== null) await disk.truncate(file, request.size)
        await disk.flushFolder(folder.file)
        return await disk.statFile(file)
      } finally {
        await disk.close(file)
      }
    })
    const provider = { base, inode: stat.inode, bornMs: stat.bornMs }
    return { id, key: request.key, size: request.size, partSize, provider }
  }

  /** @throws StorageError 'source' when the source does not hold exactly `place.length` bytes */
  async write(upload: Upload, place: PartPlace, source: ByteSource, options: WriteOptions): Promise<void> {
    if (
      place.offset < 0 ||
      place.length < 0 ||
      place.offset + place.length > (upload.size ?? Number.MAX_SAFE_INTEGER)
    ) {
      throw new StorageError('incomplete', { key: upload.key })
    }
    const count = await this.#write(upload, place, source, options)
    if (count !== place.length) {
      throw new StorageError('source', { key: upload.key, cause: new Error(`ended after ${count} bytes`) })
    }
  }

  async append(upload: Upload, offset: number, source: ByteSource, options: WriteOptions): Promise<number> {
    const length = (upload.size ?? Number.MAX_SAFE_INTEGER) - offset
    return offset + (await this.#write(upload, { offset, length }, source, options))
  }

  async complete(upload: Upload, request: CompleteUpload): Promise<Entry> {
    const { disk, folders } = this.#deps
    const key = request.key ?? upload.key
    checkEntryKey(key)
    this.#checkUsable(upload)
    if (this.#writers.has(upload.id)) throw new StorageError('conflict', { key })
    return folders.besideBoth(this.#hiddenKey(upload), key, async (from, to) => {
      const file = await unless(['ENOENT'], disk.open(from.path, O_RDWR | O_NOFOLLOW))
      if (file === undefined) return this.#completedBefore(upload, request, { key, to })
      const stat = await this.#seal(upload, request, file)
      await publish(this.#deps, from, to, { conflict: request.conflict, flush: true }).catch((thrown: unknown) =>
        this.#failedToShow(upload, thrown),
      )
      return toEntry(key, stat)
    })
  }

  /** After a failed flush of the folder a second attempt proves nothing: the upload is lost. */
  async #failedToShow(upload: Upload, cause: unknown): Promise<never> {
    if (!(cause instanceof StorageError) || cause.reason !== 'io') throw cause
    this.#failed.add(upload.id)
    await this.#removeHidden(upload)
    throw new StorageError('upload-failed', { key: upload.key, cause })
  }

  /** Runs `work` with the hidden file's place. @throws StorageError 'upload-gone' */
  async opened<T>(upload: Upload, flags: number, work: (file: number) => Promise<T>): Promise<T> {
    this.#checkUsable(upload)
    const { disk, folders } = this.#deps
    const file = await unless(
      ['ENOENT'],
      folders.beside(this.#hiddenKey(upload), (path) => disk.open(path, flags | O_NOFOLLOW)),
    )
    if (file === undefined) throw new StorageError('upload-gone', { key: upload.key })
    return work(file)
  }

  /** Forgets a failed upload once its file is gone. */
  forget(upload: Upload): void {
    this.#failed.delete(upload.id)
  }

  #hiddenKey(upload: Upload): string {
    return this.#deps.staging.key(String(upload.provider.base ?? ''), upload.id)
  }

  #checkUsable(upload: Upload): void {
    if (this.#failed.has(upload.id)) throw new StorageError('upload-failed', { key: upload.key })
  }

  async #write(
    upload: Upload,
    span: { readonly offset: number; readonly length: number },
    source: ByteSource,
    options: WriteOptions,
  ): Promise<number> {
    const { disk, clock, guard, folders } = this.#deps
    return this.opened(upload, O_WRONLY, async (file) => {
      this.#writers.set(upload.id, (this.#writers.get(upload.id) ?? 0) + 1)
      this.#spans++
      let direct: number | undefined
      try {
        direct = await this.#openDirect(upload, span.length)
        const target = {
          disk,
          clock,
          file,
          direct: direct === undefined ? undefined : { file: direct, blocks: this.#blocks, lent: this.#lent },
          batchBytes: () => Math.max(BATCH_LEAST_BYTES, Math.min(BATCH_BYTES, BATCHES_BYTES / this.#spans)),
          key: upload.key,
          admit: (byteCount: number) => guard.admit(folders.root, byteCount),
          onFlushFailed: () => this.#failed.add(upload.id),
        }
        const count = await writeSpan(target, span, source, this.#guarded(upload, options))
        // Another part's flush may have failed meanwhile; then the success of this one proves nothing.
        this.#checkUsable(upload)
        return count
      } finally {
        this.#spans--
        if (direct !== undefined) await disk.close(direct)
        await disk.close(file)
        await this.#writerLeft(upload)
      }
    })
  }

  /** @returns undefined for short spans and where the filesystem has no direct writes (tmpfs, some network disks) */
  async #openDirect(upload: Upload, length: number): Promise<number | undefined> {
    const { disk, folders } = this.#deps
    if (length < BLOCK_BYTES) return undefined
    return unless(
      ['EINVAL', 'ENOENT'],
      folders.beside(this.#hiddenKey(upload), (path) => disk.openDirect(path, O_WRONLY | O_NOFOLLOW)),
    )
  }

  #guarded(upload: Upload, options: WriteOptions): WriteOptions {
    const { onDurable } = options
    if (onDurable === undefined) return options
    return { ...options, onDurable: (length) => (this.#failed.has(upload.id) ? undefined : onDurable(length)) }
  }

  async #writerLeft(upload: Upload): Promise<void> {
    const others = (this.#writers.get(upload.id) ?? 1) - 1
    if (others > 0) {
      this.#writers.set(upload.id, others)
      return
    }
    this.#writers.delete(upload.id)
    if (this.#failed.has(upload.id)) await this.#removeHidden(upload)
  }

  /** Best effort on a failing disk; in this process #failed refuses the upload anyway. */
  async #removeHidden(upload: Upload): Promise<void> {
    const { disk, folders } = this.#deps
    await unless(
      ['ENOENT', 'EIO', 'EROFS'],
      folders.beside(this.#hiddenKey(upload), (path) => disk.unlink(path)),
    )
  }

  /** Gives the hidden file its final size and time, durably. */
  async #seal(upload: Upload, request: CompleteUpload, file: number): Promise<DiskStat> {
    const { disk } = this.#deps
    try {
      const { size } = await disk.statFile(file)
      if (size < request.size) throw new StorageError('incomplete', { key: upload.key })
      if (size > request.size) await disk.truncate(file, request.size)
      if (request.modifiedMs !== undefined) await disk.setModified(file, request.modifiedMs)
      await this.#flush(upload, file)
      return await disk.statFile(file)
    } finally {
      await disk.close(file)
    }
  }

  async #flush(upload: Upload, file: number): Promise<void> {
    try {
      await this.#deps.disk.flush(file)
    } catch (cause) {
      if (errnoOf(cause) === undefined) throw cause
      this.#failed.add(upload.id)
      await this.#removeHidden(upload)
      throw new StorageError('upload-failed', { key: upload.key, cause })
    }
  }

  async #completedBefore(
    upload: Upload,
    request: CompleteUpload,
    target: { readonly key: string; readonly to: EntryPlace },
  ): Promise<Entry> {
    const { disk } = this.#deps
    const found = await unless(['ENOENT'], disk.stat(target.to.path))
    const isOurs =
      found?.kind === 'file' &&
      found.inode === upload.provider.inode &&
      found.bornMs === upload.provider.bornMs &&
      found.size === request.size
    if (!isOurs) throw new StorageError('upload-gone', { key: upload.key })
    // The process may have ended between the name and its flush.
    await disk.flushFolder(target.to.folder.file)
    return toEntry(target.key, found)
  }
}
