import { LEAF_BYTES, RangeSet, Semaphore, type TreeNode } from '@godwit/base'
import type { UploadState } from '@godwit/contract'
import type { ObjectStore, Upload } from '@godwit/storage'
import { storeOf, type Location } from '../access/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LeafHasher } from '../tree-hashes/index.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore, type DurableSpan } from './intake.store.ts'

interface Writer {
  readonly start: number
  readonly end: number
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** The unfinished leaf at the end of an append, for the next one. */
interface Tail {
  readonly leaves: LeafHasher
  /** Of the append's lease: the tail counts when the next lease follows this one. */
  readonly fence: number
}

/** The storage's record of an upload. @throws Error for an upload that never had one */
export function storedUpload({ store_upload: json }: Pick<UploadRow, 'store_upload'>): Upload {
  if (json === '') throw new Error('this upload has nothing in the storage')
  return JSON.parse(json) as Upload
}

/**
 * An upload as this process knows it: its row and what is durable, as last read, and who is writing here. One object for
 * each upload, so that writers of one process find each other.
 */
export class LiveUpload {
  readonly store: ObjectStore
  tail: Tail | undefined
  #row: UploadRow
  #changes = 0
  #turns = 0
  #records = 0
  #target: Location | undefined
  #durable = new RangeSet()
  #nodes: TreeNode[] = []
  readonly #writers = new Set<Writer>()
  readonly #turn = new Semaphore(1)

  constructor(row: UploadRow, store: ObjectStore, spans: readonly DurableSpan[]) {
    this.#row = row
    this.store = store
    this.replaceSpans(spans)
  }

  get row(): UploadRow {
    return this.#row
  }

  /** What this process has changed in the database itself. */
  set row(row: UploadRow) {
    this.#row = row
    this.#changes++
  }

  /** Takes over what `read` finds in the database, unless this process changed the row meanwhile. */
  async refresh(read: () => Promise<UploadRow | undefined>): Promise<boolean> {
    const changes = this.#changes
    const row = await read()
    if (row === undefined) return false
    if (changes === this.#changes) this.#row = row
    return true
  }

  get id(): string {
    return this.row.id
  }

  get state(): UploadState {
    return this.row.state as UploadState
  }

  /** The storage's record. @throws Error for an upload that never had one */
  get stored(): Upload {
    return storedUpload(this.row)
  }

  /** Where the file shall appear, with the rights of whoever opened the upload last. @throws Error before that */
  get target(): Location {
    if (this.#target === undefined) throw new Error('an upload is opened before it is worked on')
    return this.#target
  }

  set target(target: Location) {
    this.#target = target
  }

  /** Somebody writes, or changes the upload as a whole. */
  get isBusy(): boolean {
    return this.#writers.size + this.#turns > 0
  }

  get isWritten(): boolean {
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
    this.#records++
    this.#durable.add(span.start, span.end)
    const isOutside = ({ leaf, level }: TreeNode): boolean =>
      leaf * LEAF_BYTES < span.start || (leaf + 2 ** level) * LEAF_BYTES > span.end
    // What a span said before is said again by the one that replaces it.
    this.#nodes = [...this.#nodes.filter(isOutside), ...span.nodes]
  }

  /** Takes over what `read` finds in the database; what this process recorded meanwhile stays. */
  async refreshSpans(read: () => Promise<readonly DurableSpan[]>): Promise<void> {
    const records = this.#records
    const spans = await read()
    if (records === this.#records) this.replaceSpans(spans)
    else for (const span of spans) this.addSpan(span)
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
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#turns++
    try {
      return await this.#turn.run(work)
    } finally {
      this.#turns--
    }
  }

  #rivalOf(span: { readonly start: number; readonly end: number }): Writer | undefined {
    return [...this.#writers].find((writer) => writer.start < span.end && span.start < writer.end)
  }
}

/** Uploads kept in memory; the database holds all of them. */
const KEPT = 5_000

/** The uploads this process works on. What it knows of them is read again whenever one is asked for. */
export class LiveUploads {
  readonly #db: Db
  readonly #storages: Storages
  readonly #byId = new Map<string, LiveUpload>()

  constructor(db: Db, storages: Storages) {
    this.#db = db
    this.#storages = storages
  }

  /** @returns the upload with its row as the database has it now; undefined for an id that no upload has */
  async get(id: string): Promise<LiveUpload | undefined> {
    const known = this.#byId.get(id)
    if (known !== undefined) {
      if (await this.refresh(known)) return known
      this.forget(id)
      return undefined
    }
    const row = await uploadsStore.byId(this.#db, id)
    // Not remembered: ids of strangers must not fill the memory.
    if (!row) return undefined
    const { user_id: userId, space_id: spaceId, group_id: groupId } = row
    const store = await storeOf(this.#storages, { userId, spaceId, groupId })
    const spans = await uploadsStore.spansOf(this.#db, id)
    return this.#byId.get(id) ?? this.add(new LiveUpload(row, store, spans))
  }

  /** Reads the row again. @returns false when it is gone */
  refresh(live: LiveUpload): Promise<boolean> {
    return live.refresh(() => uploadsStore.byId(this.#db, live.id))
  }

  /** Reads the row and what is durable again. @throws AppError UPLOAD_NOT_FOUND */
  async reload(live: LiveUpload): Promise<void> {
    if (!(await this.refresh(live))) throw new AppError('UPLOAD_NOT_FOUND')
    await this.refreshSpans(live)
  }

  /** Reads what is durable again: other nodes may have written. */
  refreshSpans(live: LiveUpload): Promise<void> {
    return live.refreshSpans(() => uploadsStore.spansOf(this.#db, live.id))
  }

  add(live: LiveUpload): LiveUpload {
    this.#byId.set(live.id, live)
    this.#makeRoom(live)
    return live
  }

  forget(id: string): void {
    this.#byId.delete(id)
  }

  ofUser(userId: string): LiveUpload[] {
    return [...this.#byId.values()].filter((live) => live.row.user_id === userId)
  }

  /** Those being written to now. */
  written(): LiveUpload[] {
    return [...this.#byId.values()].filter((live) => live.isWritten)
  }

  #makeRoom(newest: LiveUpload): void {
    if (this.#byId.size <= KEPT) return
    for (const [id, other] of this.#byId) {
      if (other.isBusy || other === newest) continue
      this.forget(id)
      return
    }
  }
}
