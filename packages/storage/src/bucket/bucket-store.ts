import { Semaphore, type Random } from '@godwit/base'
import { StorageError } from '../errors.ts'
import {
  checkEntryKey,
  checkKey,
  folderOf,
  HIDDEN_FOLDER,
  isHiddenName,
  isValidName,
  isWithin,
  joinKey,
} from '../keys.ts'
import {
  KIND_FILE,
  KIND_FOLDER,
  KIND_GONE,
  type ByteSource,
  type ByteSpan,
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
  type OnConflict,
  type PartPlace,
  type SmallFile,
  type SmallFileResult,
  type StaleUpload,
  type TreeProgress,
  type Upload,
  type WriteOptions,
} from '../object-store.ts'
import { Progress } from '../progress.ts'
import { countOf, type Bucket, type StoredObject } from './bucket.ts'
import { BucketUploads } from './bucket-uploads.ts'
import { finishMove, isMarker } from './finish-move.ts'

/** Requests of one call at once. */
const IN_FLIGHT = 16
/** From this many names on, listing the whole folder is cheaper than one request for each. */
const LIST_INSTEAD_OF_STAT = 100

/** A store on a bucket that exists. */
export function bucketStore(bucket: Bucket, random: Random): ObjectStore {
  return new BucketStore(bucket, random)
}

const MARK_KEY = `${HIDDEN_FOLDER}/mark`

/**
 * Folders are empty objects 'key/', or any prefix that some object has. Without them in the service itself, checks of a
 * parent and moves of trees are several requests: another writer may come in between (see Capabilities).
 */
class BucketStore implements ObjectStore {
  readonly capabilities: Capabilities
  readonly #bucket: Bucket
  readonly #uploads: BucketUploads

  constructor(bucket: Bucket, random: Random) {
    this.#bucket = bucket
    this.#uploads = new BucketUploads(bucket, random)
    this.capabilities = bucket.capabilities
  }

  async stat(key: string): Promise<Entry | undefined> {
    checkKey(key)
    if (key === '') return folderEntry('', 0)
    const file = await this.#bucket.head(key)
    if (file !== undefined) return fileEntry(file)
    for await (const page of this.#bucket.list(key, { deep: true })) {
      const first = page.objects[0]
      return first === undefined ? undefined : folderEntry(key, first.key === `${key}/` ? first.modifiedMs : 0)
    }
    return undefined
  }

  async *list(folder: string, options: { details?: boolean; signal?: AbortSignal } = {}): AsyncIterable<ListPage> {
    await this.#needFolder(folder)
    for await (const page of this.#bucket.list(folder, { deep: false, signal: options.signal })) {
      const files = page.objects.filter((object) => object.key !== `${folder}/`)
      const rows = [
        ...files.map((file) => ({
          name: file.key.slice(folder === '' ? 0 : folder.length + 1),
          kind: KIND_FILE,
          ...file,
        })),
        ...page.folders.map((name) => ({ name, kind: KIND_FOLDER, size: 0, modifiedMs: 0, etag: '' })),
      ].filter((row) => !isHiddenName(row.name))
      const shown = rows
        .filter((row) => isValidName(row.name))
        .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
      const kinds = Uint8Array.from(shown, (row) => row.kind)
      yield {
        names: shown.map((row) => row.name),
        kinds,
        details: {
          kinds,
          sizes: Float64Array.from(shown, (row) => row.size),
          modifiedMs: Float64Array.from(shown, (row) => row.modifiedMs),
          etags: shown.map((row) => row.etag),
        },
        leftOut: rows.length - shown.length,
      }
    }
  }

  async statMany(folder: string, names: readonly string[], signal?: AbortSignal): Promise<EntryColumns> {
    checkKey(folder)
    const found =
      names.length < LIST_INSTEAD_OF_STAT ? await this.#statEach(folder, names) : await this.#listed(folder, signal)
    const rows = names.map((name) => found.get(name))
    return {
      kinds: Uint8Array.from(rows, (row) =>
        row === undefined ? KIND_GONE : row.kind === 'file' ? KIND_FILE : KIND_FOLDER,
      ),
      sizes: Float64Array.from(rows, (row) => row?.size ?? 0),
      modifiedMs: Float64Array.from(rows, (row) => row?.modifiedMs ?? 0),
    }
  }

  async openRead(key: string): Promise<ObjectReader> {
    checkEntryKey(key)
    const entry = await this.#need(key)
    if (entry.kind === 'folder') throw new StorageError('is-folder', { key })
    const bucket = this.#bucket
    const close = async (): Promise<void> => {}
    return {
      entry,
      async *stream(span: ByteSpan = {}, signal?: AbortSignal) {
        const start = span.start ?? 0
        const end = Math.min(span.end ?? entry.size, entry.size)
        if (start < end) yield* bucket.read(entry, { start, end }, signal)
      },
      close,
      [Symbol.asyncDispose]: close,
    }
  }

  async createFolder(key: string): Promise<Entry> {
    checkEntryKey(key)
    await this.#needFolder(folderOf(key))
    if ((await this.stat(key)) !== undefined) throw new StorageError('exists', { key })
    const { modifiedMs } = await this.#bucket.put(`${key}/`, new Uint8Array(), { onlyNew: true })
    return folderEntry(key, modifiedMs)
  }

  async ensureFolder(key: string): Promise<void> {
    checkKey(key)
    const found = await this.stat(key)
    if (found?.kind === 'folder') return
    if (found !== undefined) throw new StorageError('not-a-folder', { key })
    await this.ensureFolder(folderOf(key))
    await this.#bucket.put(`${key}/`, new Uint8Array(), { onlyNew: false })
  }

  async move(from: string, to: string, options: ConflictOptions): Promise<Entry> {
    if (from === to) return this.#need(from)
    const copied = await this.copy(from, to, options)
    await this.remove(from)
    return copied
  }

  async finishMove(
    from: string,
    to: string,
    isOurs: (target: Pick<Entry, 'key' | 'etag'>) => Promise<boolean>,
  ): Promise<Entry | undefined> {
    const [source, target] = await Promise.all([this.stat(from), this.stat(to)])
    if (source === undefined || target === undefined) return target
    if (source.kind !== target.kind) return undefined
    const isDone = await finishMove({
      ...{ bucket: this.#bucket, isOurs, lanes: new Semaphore(IN_FLIGHT) },
      pages: () => this.#pagesOf(source, undefined),
      keyAtTarget: (key) => to + key.slice(from.length),
    })
    return isDone ? this.#need(to) : undefined
  }

  async copy(from: string, to: string, options: CopyOptions): Promise<Entry> {
    checkEntryKey(from)
    checkEntryKey(to)
    if (from !== to && isWithin(to, from)) throw new StorageError('conflict', { key: to })
    const source = await this.#need(from)
    await this.#needFolder(folderOf(to))
    await this.#checkFree(source.kind, to, options.conflict)
    const copy = async (): Promise<Entry> => {
      if (source.kind === 'file') await this.#copyFile(source, to, options)
      else await this.#copyObjects(source, to, new Progress(options))
      return this.#need(to)
    }
    return source.kind === 'file' && options.publishing !== undefined ? options.publishing(copy) : copy()
  }

  /** One step, which nothing takes back: what it replaced is gone, so a copy that is whole stays when the caller gives up. */
  async #copyFile(source: Entry, to: string, { signal, onProgress }: CopyOptions): Promise<void> {
    signal?.throwIfAborted()
    await this.#bucket.copy(source, to)
    new Progress(onProgress === undefined ? {} : { onProgress }).add(countOf(source))
  }

  /** All objects of a tree or, as far as the bucket can be reached, none. */
  async #copyObjects(source: Entry, to: string, progress: Progress): Promise<void> {
    const made: StoredObject[] = []
    try {
      for await (const page of this.#pagesOf(source, progress.signal)) {
        for (const object of page) {
          const target = { ...object, key: to + object.key.slice(source.key.length) }
          await this.#bucket.copy(object, target.key)
          made.push(target)
          progress.add(countOf(object))
        }
      }
    } catch (error) {
      await this.#bucket.deleteEach(made)
      throw error
    }
  }

  async remove(key: string, options: LongOptions = {}): Promise<TreeProgress> {
    checkEntryKey(key)
    const entry = await this.#need(key)
    const progress = new Progress(options)
    const markers: StoredObject[] = []
    // A page at a time: deleting while listing must not skip what moves up.
    for await (const batch of this.#pagesOf(entry, progress.signal)) {
      markers.push(...batch.filter(isMarker))
      await this.#bucket.deleteEach(
        batch.filter((object) => !isMarker(object)),
        progress,
      )
    }
    await this.#bucket.deleteEach(markers.toReversed(), progress)
    return progress.done
  }

  async createUpload(request: CreateUpload): Promise<Upload> {
    checkEntryKey(request.key)
    return this.#uploads.create(request)
  }

  async writePart(upload: Upload, place: PartPlace, source: ByteSource, options: WriteOptions = {}): Promise<void> {
    await this.#uploads.write(upload, place, source, options)
  }

  async appendUpload(upload: Upload, offset: number, source: ByteSource, options: WriteOptions = {}): Promise<number> {
    return this.#uploads.append(upload, offset, source, options)
  }

  async openUpload(): Promise<ObjectReader> {
    throw new Error('parts of a multipart upload cannot be read: see capabilities.readableUploads')
  }

  async completeUpload(upload: Upload, request: CompleteUpload): Promise<Entry> {
    const { key } = upload
    checkEntryKey(request.key ?? key)
    if (request.key !== undefined && request.key !== key) throw new Error('capabilities.retarget is false')
    const known = await this.#completed(upload)
    if (known !== undefined) return known
    await this.#needFolder(folderOf(key))
    await this.#checkFree('file', key, request.conflict)
    try {
      await this.#uploads.complete(upload, request)
    } catch (thrown) {
      // A request that is sent again, because its answer was lost, is refused for what it had done itself.
      const done = thrown instanceof StorageError ? await this.#completed(upload) : undefined
      if (done === undefined) throw thrown
      return done
    }
    return this.#need(key)
  }

  /** The file that an upload has become, while it stands there. */
  async #completed({ key, provider }: Upload): Promise<Entry | undefined> {
    const found = await this.#bucket.head(key)
    return found?.mark !== undefined && found.mark === provider['mark'] ? fileEntry(found) : undefined
  }

  async abortUpload(upload: Upload): Promise<void> {
    await this.#uploads.abort(upload)
  }

  listUploads(beforeMs: number): AsyncIterable<StaleUpload> {
    return this.#uploads.stale(beforeMs)
  }

  async writeFiles(files: readonly SmallFile[], options: ConflictOptions): Promise<SmallFileResult[]> {
    const lanes = new Semaphore(IN_FLIGHT)
    return Promise.all(
      files.map(({ key, content }) =>
        lanes.run(async () => {
          try {
            options.signal?.throwIfAborted()
            checkEntryKey(key)
            await this.#needFolder(folderOf(key))
            await this.#checkFree('file', key, options.conflict)
            return {
              key,
              entry: fileEntry(await this.#bucket.put(key, content, { onlyNew: options.conflict === 'fail' })),
            }
          } catch (error) {
            return { key, error: error instanceof Error ? error : new Error('not written', { cause: error }) }
          }
        }),
      ),
    )
  }

  async readMark(): Promise<string | undefined> {
    const found = await this.#bucket.head(MARK_KEY)
    if (found === undefined) return undefined
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#bucket.read(fileEntry(found), { start: 0, end: found.size })) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  }

  async writeMark(text: string): Promise<void> {
    await this.#bucket.put(MARK_KEY, Buffer.from(text), { onlyNew: false })
  }

  async space(): Promise<undefined> {
    return undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bucket.close()
  }

  async #need(key: string): Promise<Entry> {
    const entry = await this.stat(key)
    if (entry === undefined) throw new StorageError('not-found', { key })
    return entry
  }

  async #needFolder(key: string): Promise<void> {
    const entry = await this.stat(key)
    if (entry?.kind === 'folder') return
    // Nothing can be below a file; a real filesystem reports it with this reason.
    const isBelowFile = entry !== undefined || (key !== '' && (await this.stat(folderOf(key)))?.kind === 'file')
    throw new StorageError(isBelowFile ? 'not-a-folder' : 'not-found', { key })
  }

  async #checkFree(kind: Entry['kind'], key: string, conflict: OnConflict): Promise<void> {
    const taken = await this.stat(key)
    if (taken === undefined) return
    if (conflict === 'fail') throw new StorageError('exists', { key })
    if (kind === 'file' && taken.kind === 'folder') throw new StorageError('is-folder', { key })
    if (kind === 'folder' && taken.kind === 'file') throw new StorageError('not-a-folder', { key })
    if (kind === 'folder' && !(await this.#isEmpty(key))) throw new StorageError('exists', { key })
  }

  async #isEmpty(folder: string): Promise<boolean> {
    for await (const page of this.#bucket.list(folder, { deep: true })) {
      if (page.objects.some((object) => object.key !== `${folder}/`)) return false
    }
    return true
  }

  /** The object of a file, or the markers and objects of a tree. */
  async *#pagesOf(entry: Entry, signal: AbortSignal | undefined): AsyncGenerator<readonly StoredObject[]> {
    if (entry.kind === 'file') yield [entry]
    else for await (const page of this.#bucket.list(entry.key, { deep: true, signal })) yield page.objects
  }

  async #statEach(folder: string, names: readonly string[]): Promise<Map<string, Entry>> {
    const lanes = new Semaphore(IN_FLIGHT)
    const found = await Promise.all(names.map((name) => lanes.run(() => this.stat(joinKey(folder, name)))))
    return new Map(names.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]] as const])))
  }

  async #listed(folder: string, signal: AbortSignal | undefined): Promise<Map<string, Entry>> {
    const found = new Map<string, Entry>()
    for await (const page of this.#bucket.list(folder, { deep: false, signal })) {
      for (const object of page.objects)
        found.set(object.key.slice(folder === '' ? 0 : folder.length + 1), fileEntry(object))
      for (const name of page.folders) found.set(name, folderEntry(joinKey(folder, name), 0))
    }
    return found
  }
}

function fileEntry({ key, size, modifiedMs, etag }: StoredObject): Entry {
  return { key, kind: 'file', size, modifiedMs, etag }
}

function folderEntry(key: string, modifiedMs: number): Entry {
  // A folder is as old as its marker object; one that is only a prefix of keys has none.
  // A listing reports milliseconds, a look at one object whole seconds.
  const seconds = Math.floor(modifiedMs / 1000)
  return { key, kind: 'folder', size: 0, modifiedMs, etag: seconds === 0 ? '' : seconds.toString(36) }
}
