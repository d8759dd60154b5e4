import { LEAF_BYTES, RangeSet, Semaphore, type TreeNode } from '@godwit/base'
import type { UploadState } from '@godwit/contract'
import type { ObjectStore, Upload } from '@godwit/storage'
import type { Location } from '../files/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LeafHasher } from './leaf-hashes.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore, type DurableSpan } from './intake.store.ts'

interface Writer {
  readonly start: number
  readonly end: number
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** An upload as this process knows it: its row, what is durable, and who is writing. */
export class LiveUpload {
  row: UploadRow
  readonly store: ObjectStore
  /** Hash of the sequential tail, kept between two appends that follow each other. */
  tail: LeafHasher | undefined
  #durable = new RangeSet()
  #nodes: TreeNode[] = []
  readonly #writers = new Set<Writer>()
  readonly #turn = new Semaphore(1)

  constructor(row: UploadRow, store: ObjectStore, spans: readonly DurableSpan[]) {
    this.row = row
    this.store = store
    this.replaceSpans(spans)
  }

  get id(): string {
    return this.row.id
  }

  get state(): UploadState {
    return this.row.state as UploadState
  }

  /** The storage's record. @throws Error for an upload that never had one */
  get stored(): Upload {
    if (this.row.store_upload === '') throw new Error('this upload has nothing in the storage')
    return JSON.parse(this.row.store_upload) as Upload
  }

  /** Where the file shall appear. */
  get target(): Location {
    const { space_id: spaceId, group_id: groupId, root_key: rootKey, path } = this.row
    return { store: this.store, rootKey, key: this.stored.key, path, place: { spaceId, groupId } }
  }

  get isBusy(): boolean {
    return this.#writers.size > 0
  }

  get durable(): RangeSet {
    return this.#durable
  }

  get nodes(): readonly TreeNode[] {
    return this.#nodes
  }

  get ranges(): Array<[number, number]> {
    return this.#durable.toArray().map(({ start, end }) => [start, end])
  }

  /** Takes in what the database has recorded. */
  addSpan(span: DurableSpan): void {
    this.#durable.add(span.start, span.end)
    const isOutside = ({ leaf, level }: TreeNode): boolean =>
      leaf * LEAF_BYTES < span.start || (leaf + 2 ** level) * LEAF_BYTES > span.end
    // What a span said before is said again by the one that replaces it.
    this.#nodes = [...this.#nodes.filter(isOutside), ...span.nodes]
  }

  replaceSpans(spans: readonly DurableSpan[]): void {
    this.#durable = new RangeSet()
    this.#nodes = []
    this.tail = undefined
    for (const span of spans) this.addSpan(span)
  }

  /**
   * Runs `work` as the only writer of [start, end). Whoever comes later wins: a client that was cut off comes back on a new
   * connection while the server still waits on the old one. The former writer is stopped and waited for.
   */
  async writeAlone<T>(
    span: { readonly start: number; readonly end: number },
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (let rival = this.#rivalOf(span); rival !== undefined; rival = this.#rivalOf(span)) {
      rival.controller.abort(new AppError('UPLOAD_BUSY'))
      await rival.done
    }
    const controller = new AbortController()
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const writer = { ...span, controller, done }
    this.#writers.add(writer)
    try {
      return await work(controller.signal)
    } finally {
      this.#writers.delete(writer)
      resolve()
    }
  }

  /** Stops all writers with this reason and waits until they have let go. */
  async stopWriters(reason: AppError): Promise<void> {
    const writers = [...this.#writers]
    for (const { controller } of writers) controller.abort(reason)
    await Promise.all(writers.map(({ done }) => done))
  }

  /** One completion, abort or change of the whole upload at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.run(work)
  }

  #rivalOf(span: { readonly start: number; readonly end: number }): Writer | undefined {
    return [...this.#writers].find((writer) => writer.start < span.end && span.start < writer.end)
  }
}

/** Uploads kept in memory; the database holds all of them. */
const KEPT = 5_000

/** The uploads this process works on, loaded when first asked for. */
export class LiveUploads {
  readonly #db: Db
  readonly #storages: Storages
  readonly #byId = new Map<string, Promise<LiveUpload | undefined>>()
  readonly #loaded = new Map<string, LiveUpload>()

  constructor(db: Db, storages: Storages) {
    this.#db = db
    this.#storages = storages
  }

  /** @returns undefined for an id that no upload has */
  get(id: string): Promise<LiveUpload | undefined> {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const loading = this.#load(id).catch((thrown: unknown) => {
      this.#byId.delete(id)
      throw thrown
    })
    this.#byId.set(id, loading)
    return loading
  }

  add(live: LiveUpload): void {
    this.#byId.set(live.id, Promise.resolve(live))
    this.#keep(live)
  }

  forget(id: string): void {
    this.#byId.delete(id)
    this.#loaded.delete(id)
  }

  ofUser(userId: string): LiveUpload[] {
    return [...this.#loaded.values()].filter((live) => live.row.user_id === userId)
  }

  /** Those being written to now. */
  busy(): LiveUpload[] {
    return [...this.#loaded.values()].filter((live) => live.isBusy)
  }

  async #load(id: string): Promise<LiveUpload | undefined> {
    const row = await uploadsStore.byId(this.#db, id)
    const store = row && this.#storages.ofSpace(row.space_id)
    if (!row || !store) {
      // Not remembered: ids of strangers must not fill the memory.
      this.#byId.delete(id)
      return undefined
    }
    const live = new LiveUpload(row, store, await uploadsStore.spansOf(this.#db, id))
    this.#keep(live)
    return live
  }

  #keep(live: LiveUpload): void {
    this.#loaded.set(live.id, live)
    if (this.#loaded.size <= KEPT) return
    for (const [id, other] of this.#loaded) {
      if (!other.isBusy && other !== live) {
        this.forget(id)
        return
      }
    }
  }
}
