import fs from 'node:fs'
import path from 'node:path'
import { MiB, type Clock, type Random } from '@godwit/base'
import { StorageError } from '../errors.ts'
import { checkEntryKey, checkKey, folderOf, isValidName, isWithin } from '../keys.ts'
import {
  type ByteSource,
  type Capabilities,
  type CompleteUpload,
  type ConflictOptions,
  type CopyOptions,
  type CreateUpload,
  type Entry,
  type EntryColumns,
  type ListPage,
  type LongOptions,
  type ObjectReader,
  type ObjectStore,
  type PartPlace,
  type SmallFile,
  type SmallFileResult,
  type Space,
  type StaleUpload,
  type TreeProgress,
  type Upload,
  type WriteOptions,
} from '../object-store.ts'
import { Progress } from '../progress.ts'
import { SharedReads } from '../shared-reads.ts'
import { errnoOf, asStorageError, withStorageErrors, unless } from './disk-errors.ts'
import type { Disk, DiskStat } from './disk.ts'
import { nodeDisk } from './node-disk.ts'
import { etagOf, toEntry } from './entries.ts'
import { Folders, makeFolderDurably } from './folders.ts'
import { pageOf, pageOfPlain, type StatMany } from './list-pages.ts'
import { readMark, writeMark } from './marks.ts'
import { finishMoves, moveToFreeName } from './moves.ts'
import { PlainPage } from './plain-page.ts'
import { publish } from './publish.ts'
import { BufferPool, LocalReader } from './reader.ts'
import { writeSmallFiles } from './small-files.ts'
import { SpaceGuard } from './space-guard.ts'
import { Staging } from './staging.ts'
import { copyTree, removeTree, type TreeDeps } from './trees.ts'
import { type LocalDeps, LocalUploads } from './uploads.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants

export interface LocalStoreOptions {
  /** Folder that holds the files. */
  readonly root: string
  /** Creates the folder if only its last part is missing. Default true; false changes nothing until the first use. */
  readonly create?: boolean
  /**
   * Finishes what a crash left half done. Only one process may do so at a time. Default true; false for a
   * second process beside the one that owns the storage.
   */
  readonly recover?: boolean
  readonly clock: Clock
  readonly random: Random
  /** The filesystem calls; tests inject faults here. */
  readonly disk?: Disk
  /** Bytes of the disk that uploads leave free. Default 64 MiB. */
  readonly reserveBytes?: number
}

const PART_BYTES = { minBytes: 1, maxBytes: Number.MAX_SAFE_INTEGER, maxCount: Number.MAX_SAFE_INTEGER }
const DEFAULT_PART_BYTES = 16 * MiB
/** Pages of so many entries are read once for all who ask at the same time; longer ones may be cancelled one by one. */
const SHARED_ENTRIES = 200

export const LOCAL_CAPABILITIES: Capabilities = {
  provider: 'local',
  orderedList: false,
  detailedList: false,
  atomicMove: true,
  realFolders: true,
  freeParts: true,
  part: PART_BYTES,
  retarget: true,
  readableUploads: true,
  folderTimes: 'real',
  conditionalComplete: true,
}

/**
 * Opens a folder of this machine as a store.
 * @throws StorageError 'not-found', 'not-a-folder', 'permission', 'read-only'
 */
export async function openLocalStore(options: LocalStoreOptions): Promise<ObjectStore> {
  const disk = options.disk ?? nodeDisk(options.clock)
  return withStorageErrors('', async () => {
    if (options.create !== false) await makeRoot(disk, options.root)
    const root = await disk.realPath(options.root)
    if (root === '/')
      throw new StorageError('permission', { cause: new Error('the whole machine cannot be a storage') })
    const folders = new Folders(disk, root)
    const staging = new Staging(disk, folders, options.random)
    if (options.create !== false) await staging.baseFor('')
    const guard = new SpaceGuard(disk, options.clock, options.reserveBytes ?? 64 * MiB)
    const store = new LocalStore({ disk, clock: options.clock, folders, staging, guard, relinking: new Map() })
    if (options.recover !== false) await store.recover()
    return store
  })
}

/** Makes the root, durably, unless it is there. */
async function makeRoot(disk: Disk, root: string): Promise<void> {
  const above = await disk.open(path.dirname(path.resolve(root)), O_RDONLY)
  try {
    await makeFolderDurably(disk, root, above)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  } finally {
    await disk.close(above)
  }
}

class LocalStore implements ObjectStore {
  readonly capabilities = LOCAL_CAPABILITIES
  readonly #deps: LocalDeps
  readonly #trees: TreeDeps
  readonly #uploads: LocalUploads
  readonly #pool = new BufferPool()
  readonly #reads = new SharedReads()

  constructor(deps: LocalDeps) {
    this.#deps = deps
    this.#uploads = new LocalUploads(deps)
    this.#trees = {
      disk: deps.disk,
      folders: deps.folders,
      admit: (byteCount) => deps.guard.admit(deps.folders.root, byteCount),
      checkReadable: (file) => this.#readable(file, ''),
      plainDevices: new Set(),
    }
  }

  /** Finishes what the last process had started: moves, and published files that still have their hidden name as well. */
  async recover(): Promise<void> {
    const { disk, folders, staging } = this.#deps
    await finishMoves(this.#deps)
    for (const base of await staging.bases()) {
      for (const id of await staging.ids(base)) {
        await folders.beside(staging.key(base, id), async (path) => {
          const stat = await unless(['ENOENT'], disk.stat(path))
          if (stat?.kind === 'file' && stat.links > 1) await disk.unlink(path)
        })
      }
    }
  }

  async stat(key: string): Promise<Entry | undefined> {
    checkKey(key)
    return this.#reads.of(`stat\0${key}`, () => this.#stat(key))
  }

  async #stat(key: string): Promise<Entry | undefined> {
    try {
      if (key === '') return { ...toEntry('', (await this.#deps.folders.nearest('')).stat) }
      const { disk, folders } = this.#deps
      const { stat, isUnreadable } = await folders.beside(key, (path) => this.#settled(() => disk.stat(path)))
      if (stat.kind === 'other') return undefined
      return { ...toEntry(key, stat), ...(isUnreadable ? { isUnreadable } : {}) }
    } catch (error) {
      if (isNothing(error)) return undefined
      throw asStorageError(error, key)
    }
  }

  async *list(folder: string, options: { details?: boolean; signal?: AbortSignal } = {}): AsyncIterable<ListPage> {
    checkKey(folder)
    const { disk, folders } = this.#deps
    const open = await withStorageErrors(folder, () => folders.open(folder))
    const statMany: StatMany = (names) => this.statMany(folder, names, options.signal)
    try {
      let isEmpty = true
      for await (const { plain, entries } of disk.pages(open)) {
        options.signal?.throwIfAborted()
        isEmpty = false
        if (plain && plain.kinds.length > 0) yield await pageOfPlain(new PlainPage(plain), statMany, options)
        if (entries.length > 0) yield await pageOf(entries, statMany, options)
      }
      if (isEmpty) yield await pageOf([], statMany, options)
    } catch (error) {
      throw errnoOf(error) === undefined ? error : asStorageError(error, folder)
    } finally {
      await disk.close(open.file)
    }
  }

  async statMany(folder: string, names: readonly string[], signal?: AbortSignal): Promise<EntryColumns> {
    checkKey(folder)
    signal?.throwIfAborted()
    const bad = names.find((name) => !isValidName(name))
    if (bad !== undefined) throw new StorageError('invalid-key', { key: bad })
    const { disk, folders } = this.#deps
    const read = (until?: AbortSignal): Promise<EntryColumns> =>
      withStorageErrors(folder, () => folders.inside(folder, (open) => disk.statMany(open, names, until)))
    if (names.length > SHARED_ENTRIES) return read(signal)
    return this.#reads.of(['statMany', folder, ...names].join('\0'), () => read())
  }

  async openRead(key: string): Promise<ObjectReader> {
    checkEntryKey(key)
    const { disk, folders } = this.#deps
    return withStorageErrors(key, async () => {
      const file = await folders.beside(key, (file) => disk.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
      return this.#reader(file, key)
    })
  }

  async createFolder(key: string): Promise<Entry> {
    checkEntryKey(key)
    const { disk, folders } = this.#deps
    return withStorageErrors(key, () =>
      folders.beside(key, async (at, folder) => {
        await makeFolderDurably(disk, at, folder.file)
        return toEntry(key, await disk.stat(at))
      }),
    )
  }

  async ensureFolder(key: string): Promise<void> {
    checkKey(key)
    await withStorageErrors(key, () => this.#deps.folders.makeAll(key))
  }

  /** A move is one step here: one that was cut short has not begun, or is over. */
  async finishMove(from: string, to: string): Promise<Entry | undefined> {
    return (await this.stat(from)) === undefined ? this.stat(to) : undefined
  }

  async move(from: string, to: string, options: ConflictOptions): Promise<Entry> {
    checkPair(from, to)
    const { disk, folders } = this.#deps
    options.signal?.throwIfAborted()
    try {
      return await folders.besideBoth(from, to, async (source, target) => {
        const stat = await disk.stat(source.path)
        if (stat.kind === 'other') throw new StorageError('not-found', { key: from })
        if (from === to) return toEntry(to, stat)
        if (stat.kind === 'file' && options.conflict === 'fail') {
          await moveToFreeName(this.#deps, source, target, { from, to })
        } else {
          await publish(this.#deps, source, target, { conflict: options.conflict, flush: true })
          await disk.flushFolder(source.folder.file)
        }
        return toEntry(to, stat)
      })
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw asStorageError(error, to)
    }
    const copied = await this.copy(from, to, options)
    await this.remove(from, options)
    return copied
  }

  async copy(from: string, to: string, options: CopyOptions): Promise<Entry> {
    checkPair(from, to)
    const { disk, folders, staging } = this.#deps
    return withStorageErrors(to, async () => {
      const hidden = staging.key(await staging.baseFor(folderOf(to)), staging.newId())
      try {
        await copyTree(this.#trees, from, hidden, new Progress(options))
        const show = (): Promise<Entry> =>
          folders.besideBoth(hidden, to, async (source, target) => {
            const stat = await disk.stat(source.path)
            await publish(this.#deps, source, target, { conflict: options.conflict, flush: true })
            return toEntry(to, stat)
          })
        return await (options.publishing?.(show) ?? show())
      } catch (error) {
        await unless(['ENOENT'], removeTree(this.#trees, hidden, new Progress({})))
        throw error
      }
    })
  }

  async remove(key: string, options: LongOptions = {}): Promise<TreeProgress> {
    checkEntryKey(key)
    const progress = new Progress(options)
    await withStorageErrors(key, () => removeTree(this.#trees, key, progress))
    return progress.done
  }

  async createUpload(request: CreateUpload): Promise<Upload> {
    return withStorageErrors(request.key, () => this.#uploads.create(request, request.partSize ?? DEFAULT_PART_BYTES))
  }

  async writePart(upload: Upload, place: PartPlace, source: ByteSource, options: WriteOptions = {}): Promise<void> {
    await withStorageErrors(upload.key, () => this.#uploads.write(upload, place, source, options))
  }

  async appendUpload(upload: Upload, offset: number, source: ByteSource, options: WriteOptions = {}): Promise<number> {
    return withStorageErrors(upload.key, () => this.#uploads.append(upload, offset, source, options))
  }

  async openUpload(upload: Upload): Promise<ObjectReader> {
    return withStorageErrors(upload.key, () =>
      this.#uploads.opened(upload, O_RDONLY | O_NONBLOCK, (file) => this.#reader(file, upload.key)),
    )
  }

  async completeUpload(upload: Upload, request: CompleteUpload): Promise<Entry> {
    return withStorageErrors(request.key ?? upload.key, () => this.#uploads.complete(upload, request))
  }

  async abortUpload(upload: Upload): Promise<void> {
    const hidden = this.#deps.staging.key(String(upload.provider.base ?? ''), upload.id)
    await withStorageErrors(upload.key, async () => {
      await unless(['ENOENT'], removeTree(this.#trees, hidden, new Progress({})))
      this.#uploads.forget(upload)
    })
  }

  async *listUploads(beforeMs: number): AsyncIterable<StaleUpload> {
    const { disk, folders, staging } = this.#deps
    for (const base of await withStorageErrors('', () => staging.bases())) {
      for (const id of await withStorageErrors(base, () => staging.ids(base))) {
        const stat = await withStorageErrors(base, () =>
          unless(
            ['ENOENT'],
            folders.beside(staging.key(base, id), (path) => disk.stat(path)),
          ),
        )
        if (stat === undefined || stat.modifiedMs >= beforeMs) continue
        const upload = { id, key: '', size: null, partSize: DEFAULT_PART_BYTES, provider: { base } }
        yield { upload, touchedMs: stat.modifiedMs }
      }
    }
  }

  async writeFiles(files: readonly SmallFile[], options: ConflictOptions): Promise<SmallFileResult[]> {
    return writeSmallFiles(this.#deps, files, options)
  }

  async readMark(): Promise<string | undefined> {
    return withStorageErrors('', () => readMark(this.#deps))
  }

  async writeMark(text: string): Promise<void> {
    await withStorageErrors('', () => writeMark(this.#deps, text))
  }

  async space(): Promise<Space> {
    return withStorageErrors('', () => this.#deps.disk.space(this.#deps.folders.root))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing stays open between operations.
  }

  async #reader(file: number, key: string): Promise<ObjectReader> {
    const { disk } = this.#deps
    try {
      const stat = await this.#readable(file, key)
      const isUnchanged = async (): Promise<boolean> => etagOf(await disk.statFile(file)) === etagOf(stat)
      return new LocalReader({ disk, pool: this.#pool, isUnchanged }, file, toEntry(key, stat))
    } catch (error) {
      await disk.close(file)
      throw error
    }
  }

  async #readable(file: number, key: string): Promise<DiskStat> {
    const { stat, isUnreadable } = await this.#settled(() => this.#deps.disk.statFile(file))
    if (stat.kind === 'folder') throw new StorageError('is-folder', { key })
    if (stat.kind === 'other') throw new StorageError('not-found', { key })
    if (isUnreadable) throw new StorageError('permission', { key })
    return stat
  }

  /**
   * A file with a second name may also exist outside the storage: an administrator's hard link must not be a way out of it.
   * Files that we are renaming ourselves have two names for a moment.
   */
  async #settled(look: () => Promise<DiskStat>): Promise<{ readonly stat: DiskStat; readonly isUnreadable: boolean }> {
    const hasSecondName = ({ kind, links, inode }: DiskStat): boolean =>
      kind === 'file' && links > 1 && !this.#deps.relinking.has(inode)
    const first = await look()
    // The rename may end between two checks: only a second name that stays is refused.
    const stat = hasSecondName(first) ? await look() : first
    return { stat, isUnreadable: hasSecondName(stat) }
  }
}

/** Whether an error means that nothing can be reached under a name. */
function isNothing(error: unknown): boolean {
  if (error instanceof StorageError) return error.reason === 'not-found' || error.reason === 'permission'
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')
}

function checkPair(from: string, to: string): void {
  checkEntryKey(from)
  checkEntryKey(to)
  if (from !== to && isWithin(to, from)) throw new StorageError('conflict', { key: to })
}
