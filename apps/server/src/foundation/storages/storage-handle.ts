import {
  StorageError,
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
} from '@godwit/storage'

export interface HandleOptions {
  readonly capabilities: Capabilities
  readonly open: () => Promise<ObjectStore>
  /** Closed after so long without use; undefined: only at the end. */
  readonly idleMs: number | undefined
  /** Asked when the store did not find something: what is wrong with the storage as a whole, if anything is. */
  readonly faultBehind?: (() => Promise<Error | undefined>) | undefined
}

/**
 * A storage that is opened when it is first used and closed when it is idle, and stays the same object all the while: who
 * holds a location holds the handle. It refuses everything while something is known to be wrong with the storage.
 */
export class StorageHandle implements ObjectStore {
  readonly capabilities: Capabilities
  readonly #options: HandleOptions
  #store: Promise<ObjectStore> | undefined
  #users = 0
  #idle: NodeJS.Timeout | undefined
  #refusal: Error | undefined

  constructor(options: HandleOptions) {
    this.#options = options
    this.capabilities = options.capabilities
  }

  get isOpen(): boolean {
    return this.#store !== undefined
  }

  /** Refuses every operation from now on, or no longer; the mark can always be read. */
  refuse(reason: Error | undefined): void {
    this.#refusal = reason
  }

  stat(key: string): Promise<Entry | undefined> {
    return this.#use((store) => store.stat(key))
  }

  list(folder: string, options?: { details?: boolean; signal?: AbortSignal }): AsyncIterable<ListPage> {
    return this.#iterate((store) => store.list(folder, options))
  }

  statMany(folder: string, names: readonly string[], signal?: AbortSignal): Promise<EntryColumns> {
    return this.#use((store) => store.statMany(folder, names, signal))
  }

  async openRead(key: string): Promise<ObjectReader> {
    return this.#reader((store) => store.openRead(key))
  }

  createFolder(key: string): Promise<Entry> {
    return this.#use((store) => store.createFolder(key))
  }

  ensureFolder(key: string): Promise<void> {
    return this.#use((store) => store.ensureFolder(key))
  }

  move(from: string, to: string, options: ConflictOptions): Promise<Entry> {
    return this.#use((store) => store.move(from, to, options))
  }

  finishMove(...move: Parameters<ObjectStore['finishMove']>): Promise<Entry | undefined> {
    return this.#use((store) => store.finishMove(...move))
  }

  copy(from: string, to: string, options: CopyOptions): Promise<Entry> {
    return this.#use((store) => store.copy(from, to, options))
  }

  remove(key: string, options?: LongOptions): Promise<TreeProgress> {
    return this.#use((store) => store.remove(key, options))
  }

  createUpload(request: CreateUpload): Promise<Upload> {
    return this.#use((store) => store.createUpload(request))
  }

  writePart(upload: Upload, place: PartPlace, source: ByteSource, options?: WriteOptions): Promise<void> {
    return this.#use((store) => store.writePart(upload, place, source, options))
  }

  appendUpload(upload: Upload, offset: number, source: ByteSource, options?: WriteOptions): Promise<number> {
    return this.#use((store) => store.appendUpload(upload, offset, source, options))
  }

  async openUpload(upload: Upload): Promise<ObjectReader> {
    return this.#reader((store) => store.openUpload(upload))
  }

  completeUpload(upload: Upload, request: CompleteUpload): Promise<Entry> {
    return this.#use((store) => store.completeUpload(upload, request))
  }

  abortUpload(upload: Upload): Promise<void> {
    return this.#use((store) => store.abortUpload(upload))
  }

  listUploads(beforeMs: number): AsyncIterable<StaleUpload> {
    return this.#iterate((store) => store.listUploads(beforeMs))
  }

  writeFiles(files: readonly SmallFile[], options: ConflictOptions): Promise<SmallFileResult[]> {
    return this.#use((store) => store.writeFiles(files, options))
  }

  space(): Promise<Space | undefined> {
    return this.#use((store) => store.space())
  }

  async readMark(): Promise<string | undefined> {
    const store = await this.#take()
    try {
      return await store.readMark()
    } finally {
      this.#release()
    }
  }

  writeMark(text: string): Promise<void> {
    return this.#use((store) => store.writeMark(text))
  }

  /** Ends the store; a later use opens it again. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const opened = this.#store
    this.#store = undefined
    // One that did not open has reported that to its user.
    const [store] = await Promise.allSettled([opened])
    if (store.status === 'fulfilled') await store.value?.[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #use<T>(work: (store: ObjectStore) => Promise<T>): Promise<T> {
    if (this.#refusal !== undefined) throw this.#refusal
    const store = await this.#take()
    try {
      return await work(store)
    } catch (thrown) {
      throw await this.#reasonFor(thrown)
    } finally {
      this.#release()
    }
  }

  async *#iterate<T>(work: (store: ObjectStore) => AsyncIterable<T>): AsyncIterable<T> {
    if (this.#refusal !== undefined) throw this.#refusal
    const store = await this.#take()
    try {
      yield* work(store)
    } catch (thrown) {
      throw await this.#reasonFor(thrown)
    } finally {
      this.#release()
    }
  }

  /** A storage that is gone must not pass for one in which a file is gone: a purge would count the file as deleted. */
  async #reasonFor(thrown: unknown): Promise<unknown> {
    if (!(thrown instanceof StorageError) || thrown.reason !== 'not-found') return thrown
    return (await this.#options.faultBehind?.()) ?? thrown
  }

  /** A reader counts as use until it is closed. */
  async #reader(open: (store: ObjectStore) => Promise<ObjectReader>): Promise<ObjectReader> {
    if (this.#options.idleMs === undefined) return this.#use(open)
    if (this.#refusal !== undefined) throw this.#refusal
    const store = await this.#take()
    let isOpen = true
    const done = (): void => {
      if (isOpen) this.#release()
      isOpen = false
    }
    try {
      const reader = await open(store)
      const close = async (): Promise<void> => {
        await reader.close()
        done()
      }
      const stream: ObjectReader['stream'] = (span, signal) => reader.stream(span, signal)
      const { entry, descriptor } = reader
      const file = descriptor === undefined ? {} : { descriptor }
      return { entry, ...file, stream, close, [Symbol.asyncDispose]: close }
    } catch (thrown) {
      done()
      throw thrown
    }
  }

  async #take(): Promise<ObjectStore> {
    this.#users++
    clearTimeout(this.#idle)
    const opening = (this.#store ??= this.#options.open())
    try {
      return await opening
    } catch (thrown) {
      // The next user tries again.
      if (this.#store === opening) this.#store = undefined
      this.#release()
      throw thrown
    }
  }

  #release(): void {
    this.#users--
    if (this.#users > 0 || this.#options.idleMs === undefined || this.#store === undefined) return
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref()
  }
}
