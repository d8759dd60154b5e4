// One class past 250 lines: what was announced, arrived and written is one state, told in the order a chunk walks.
import { LEAF_BYTES, RangeSet } from '@godwit/base'
import type { ByteSource } from '@godwit/transport/core'
import type { ByteChannel, ChannelOwner, PathReport } from '@godwit/transport/node'
import { TransferError } from '../errors/transfer-error.ts'
import type { FilesPlaced, TargetOpened, TargetPiece } from '../files/disk.types.ts'
import { HASH_BYTES, type HashName, treeHashById } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import { EntryStore } from '../manifests/entry-store.ts'
import { type Chunk, Layout } from '../manifests/layout.ts'
import { PathClashes } from '../manifests/paths.ts'
import { IncomingMessages, MESSAGE_OBJECT, OutgoingMessages } from '../messages/message-log.ts'
import type { ChunkRange, Message } from '../messages/messages.ts'
import type { DiskJobs } from '../workers/disk-jobs.ts'
import { type Block, BlockPool } from './block-pool.ts'
import { ChunkSet, toRanges } from './chunk-set.ts'
import {
  BODY_OBJECT,
  type EngineEvents,
  type FileFailure,
  type MonotonicMs,
  type TransferProgress,
  type TransferResult,
} from './engine.types.ts'
import { GrowingWindow } from './growing-window.ts'
import { Reporter, type ThreadCpu } from './reporter.ts'
import { asTransferError, isVoid } from './send-engine.ts'

/** Confirmations gather for this long. */
const CONFIRM_MS = 50
const REPORT_MS = 500
/** Complete files wait for each other to be flushed together: this long, */
const PLACE_MS = 250
/** and up to so many files, */
const PLACE_FILES = 2048
/** and bytes. A side that is killed loses at most these. */
const PLACE_BYTES = 8 * 1024 * 1024
/** Claims of an unclean journal that are hashed again, in leaves of 1 MiB. */
const DISTRUST_LEAVES = 64
/**
 * Chunks that may be begun and not complete. Each takes a block, so a peer that strews single bytes over a long file would
 * take a mebibyte for each; an honest one has far fewer holes under way.
 */
const MAX_OPEN_CHUNKS = 16_384
/** Entries a peer may announce. */
const MAX_ENTRIES = 10_000_000
/** Bytes that may arrive before the list that says where they belong. */
const MAX_EARLY_BYTES = 64 * 1024 * 1024
/** After the last word the sender has this long to close before this side does. */
const FAREWELL_MS = 5000

export interface ReceiveDeps {
  readonly channel: ByteChannel
  readonly disk: DiskJobs
  readonly nowMs: MonotonicMs
  readonly cpu?: ThreadCpu
  readonly events?: EngineEvents
}

export interface ReceiveRequest {
  /** Absolute path of the folder to fill. */
  readonly root: string
  /** Bytes by which the channel's window may grow while the disk keeps up. */
  readonly windowGrowth?: number
  /** May refuse a task by throwing a TransferError; also where a second connection of a task ends the first. */
  onOpen?(taskId: string): void | Promise<void>
  readonly signal?: AbortSignal
}

export interface ReceiveTask {
  readonly result: Promise<TransferResult>
  /** Set once the sender has named its task. */
  readonly taskId: string | undefined
  setPaused(isPaused: boolean): void
  cancel(): void
  /** Stops in good order for another connection to go on; settles when the journal is closed. */
  yieldTo(): Promise<void>
}

/**
 * Receives files into a folder and settles when all of them are in place and the sender knows it.
 * @throws TransferError CANCELLED, PEER_LOST, PATH_REFUSED, MESSAGE_INVALID, TARGET_UNWRITABLE
 */
export function receiveFiles(deps: ReceiveDeps, request: ReceiveRequest): ReceiveTask {
  return new ReceiveEngine(deps, request)
}

interface OpenChunk {
  readonly chunk: Chunk
  readonly block: Block
  readonly have: RangeSet
  received: number
  /** Bytes the channel gave, repeated ones included: what it wants back as consumed. */
  given: number
  isWriting: boolean
}

class ReceiveEngine implements ReceiveTask, ChannelOwner {
  readonly result: Promise<TransferResult>
  readonly #outcome = Promise.withResolvers<TransferResult>()
  readonly #deps: ReceiveDeps
  readonly #request: ReceiveRequest
  readonly #layout = new Layout()
  readonly #entries = new EntryStore()
  readonly #clashes = new PathClashes()
  readonly #outgoing = new OutgoingMessages()
  readonly #incoming = new IncomingMessages()
  readonly #pool = new BlockPool()
  readonly #open = new Map<number, OpenChunk>()
  readonly #leaves = new Map<number, Uint8Array>()
  /** With the disk: no byte of them is wanted again. */
  readonly #written = new ChunkSet()
  /** In the journal, and said to the sender. */
  readonly #done = new ChunkSet()
  /** Leaves that may be the same as in another version of their file; the sender was asked for their hashes. */
  readonly #compared = new Set<number>()
  readonly #failures = new Map<number, FileFailure>()
  readonly #window: GrowingWindow
  readonly #reporter: Reporter
  readonly #timer: NodeJS.Timeout
  #messages: Promise<void> = Promise.resolve()
  #early: Array<{ offset: number; bytes: Uint8Array }> = []
  #earlyBytes = 0
  #known: ReadonlyMap<string, TargetOpened['known'][number]> = new Map()
  #hash: HashName = 'blake3'
  #isResumed = false
  #batches = 0
  #expected: { files: number; bytes: number } | undefined
  #unconfirmed: number[] = []
  #confirmTimer: NodeJS.Timeout | undefined
  /** Chunks of small files that are written but not placed yet. */
  #unplaced: Chunk[] = []
  #unplacedBytes = 0
  /** Complete files at the disk that have no name yet. */
  #waitingFiles = 0
  #placeTimer: NodeJS.Timeout | undefined
  #isPlacing = false
  #current: OpenChunk | undefined
  #busyMs = 0
  #busyBefore = 0
  #waitingBytes = 0
  #bytesDone = 0
  #keptBytes = 0
  #filesDone = 0
  #bytesMoved = 0
  #pendingEmpty = 0
  #isPaused = false
  #isFinishing = false
  #isOver = false
  #isTargetOpen = false
  #closing: Promise<void> | undefined
  taskId: string | undefined

  constructor(deps: ReceiveDeps, request: ReceiveRequest) {
    this.#deps = deps
    this.#request = request
    this.#window = new GrowingWindow({
      most: request.windowGrowth ?? 0,
      nowMs: deps.nowMs,
      srttUs: () => deps.channel.stats().udp?.srttUs ?? 0,
    })
    this.#reporter = new Reporter(deps.nowMs, deps.cpu ?? (() => undefined))
    this.result = this.#outcome.promise
    this.#timer = setInterval(() => this.#report(), REPORT_MS)
    request.signal?.addEventListener('abort', () => this.cancel(), { once: true })
    deps.channel.start(this)
  }

  readonly source = {
    read: (...[_object, offset, length, target, at]: Parameters<ByteSource['read']>): boolean =>
      this.#outgoing.read(offset, length, { bytes: target, at }),
  }

  acked(object: number, start: number, end: number): void {
    if (object === MESSAGE_OBJECT) this.#outgoing.acked(start, end)
  }

  pathChanged(report: PathReport): void {
    this.#deps.events?.path?.(report)
  }

  // ---- arriving

  data(object: number, offset: number, bytes: Uint8Array): void {
    if (object === BODY_OBJECT && !this.#isOver) return this.#onBody(offset, bytes)
    this.#deps.channel.consumed(bytes.length)
    if (object !== MESSAGE_OBJECT || this.#isOver) return
    try {
      for (const message of this.#incoming.take(offset, bytes)) this.#enqueue(message)
    } catch (error) {
      this.#fail(asTransferError(error, 'MESSAGE_INVALID'))
    }
  }

  #onBody(offset: number, bytes: Uint8Array): void {
    let done = 0
    while (done < bytes.length) {
      const at = offset + done
      if (at >= this.#layout.bytes) return this.#keepEarly(at, bytes.subarray(done))
      const target = this.#openAt(at)
      if (target === undefined) return this.#fail(new TransferError('LIMIT_EXCEEDED', { what: 'chunks begun' }))
      const end = target.chunk.start + target.chunk.length
      const piece = bytes.subarray(done, Math.min(bytes.length, done + end - at))
      this.#put(target, at, piece)
      done += piece.length
    }
  }

  #openAt(position: number): OpenChunk | undefined {
    const current = this.#current
    if (
      current !== undefined &&
      position >= current.chunk.start &&
      position < current.chunk.start + current.chunk.length
    ) {
      return current
    }
    const chunk = this.#layout.chunkAt(position)
    const known = this.#open.get(chunk.index)
    if (known === undefined && this.#open.size >= MAX_OPEN_CHUNKS) return undefined
    const opened = known ?? {
      chunk,
      block: this.#pool.take(),
      have: new RangeSet(),
      received: 0,
      given: 0,
      isWriting: false,
    }
    if (known === undefined) this.#open.set(chunk.index, opened)
    this.#current = opened
    return opened
  }

  #put(target: OpenChunk, position: number, bytes: Uint8Array): void {
    const { chunk } = target
    if (target.isWriting || this.#written.has(chunk.index)) {
      if (!target.isWriting) this.#drop(target)
      return this.#deps.channel.consumed(bytes.length)
    }
    this.#bytesMoved += bytes.length
    const from = position - chunk.start
    target.block.set(bytes, from)
    target.given += bytes.length
    target.have.add(from, from + bytes.length)
    target.received += bytes.length
    // Only a full count can mean a full chunk; repeated bytes make the count alone too large.
    if (target.received >= chunk.length && target.have.has(0, chunk.length)) this.#write(target)
  }

  #drop(target: OpenChunk): void {
    this.#open.delete(target.chunk.index)
    if (this.#current === target) this.#current = undefined
    this.#pool.give(target.block)
  }

  #keepEarly(offset: number, bytes: Uint8Array): void {
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > MAX_EARLY_BYTES)
      return this.#fail(new TransferError('LIMIT_EXCEEDED', { what: 'bytes before the list' }))
    this.#early.push({ offset, bytes: new Uint8Array(bytes) })
  }

  #takeEarly(): void {
    const early = this.#early
    this.#early = []
    this.#earlyBytes = 0
    for (const { offset, bytes } of early) this.#onBody(offset, bytes)
  }

  // ---- writing

  /** All bytes and all leaves of a chunk are there: verify, write, tell. */
  #write(target: OpenChunk): void {
    const hashes = this.#leaves.get(target.chunk.index)
    if (hashes === undefined || target.isWriting) return
    target.isWriting = true
    this.#leaves.delete(target.chunk.index)
    this.#waitingBytes += target.chunk.length
    const pieces = this.#piecesOf(target.chunk, hashes)
    this.#deps.disk.writeChunk({ block: target.block, pieces: pieces.map(({ piece }) => piece) }).then(
      (written) => {
        this.#waitingBytes -= target.chunk.length
        this.#busyMs += written.busyMs
        for (const index of written.mismatched) this.#fileFailed(pieces[index]?.piece.file ?? 0, 'HASH_MISMATCH', true)
        for (const { file, code } of written.failed) this.#fileFailed(file, code, true)
        this.#settle(target, written.waiting)
      },
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  /** A void leaf marks a piece that the source could not give: its bytes are none of the file's. */
  #piecesOf(chunk: Chunk, hashes: Uint8Array): Array<{ piece: TargetPiece }> {
    return chunk.pieces.map(({ file, fileOffset, length }, index) => {
      const entry = this.#entryOf(file)
      const leaf = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
      if (isVoid(leaf)) this.#fileFailed(file, 'SOURCE_UNREADABLE', false)
      const { path, size, mtimeMs, mode } = entry
      return { piece: { file, fileOffset, length, path, size, mtimeMs, mode, leaf } }
    })
  }

  #settle(target: OpenChunk, waitingFiles: number): void {
    const { chunk } = target
    this.#written.add(chunk.index)
    this.#drop(target)
    this.#consumed(target.given)
    // A leaf of a large file is in the journal and counts; small files count once they are in their place.
    if (this.#isLeaf(chunk)) this.#count(chunk)
    else {
      this.#unplaced.push(chunk)
      this.#unplacedBytes += chunk.length
    }
    this.#placeSoon(waitingFiles)
    this.#finishWhenDone()
  }

  #consumed(bytes: number): void {
    const told = this.#window.consumed(bytes, this.#waitingBytes)
    if (told > 0) this.#deps.channel.consumed(told)
  }

  #isLeaf({ pieces: [first] }: Chunk): boolean {
    return first !== undefined && first.length < this.#entryOf(first.file).size
  }

  #count(chunk: Chunk): void {
    this.#done.add(chunk.index)
    this.#bytesDone += chunk.length
    this.#confirm(chunk.index)
  }

  #placeSoon(waitingFiles: number): void {
    this.#waitingFiles = waitingFiles
    if (waitingFiles === 0 && this.#unplaced.length === 0) return
    if (waitingFiles >= PLACE_FILES || this.#unplacedBytes >= PLACE_BYTES) this.#place()
    else this.#placeTimer ??= setTimeout(() => this.#place(), PLACE_MS)
  }

  /** Lets the disk make complete files durable and give them their names. */
  #place(): void {
    if (this.#isPlacing || this.#isOver) return
    clearTimeout(this.#placeTimer)
    this.#placeTimer = undefined
    this.#isPlacing = true
    const chunks = this.#unplaced
    this.#unplaced = []
    this.#unplacedBytes = 0
    this.#waitingFiles = 0
    this.#deps.disk.place().then(
      (placed) => {
        this.#isPlacing = false
        this.#onPlaced(placed, chunks)
      },
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  #onPlaced(placed: FilesPlaced, chunks: readonly Chunk[]): void {
    this.#busyMs += placed.busyMs
    this.#filesDone += placed.finished
    for (const { file, code } of placed.failed) this.#fileFailed(file, code, true)
    for (const chunk of chunks) this.#count(chunk)
    this.#placeSoon(this.#waitingFiles)
    this.#finishWhenDone()
  }

  #confirm(index: number): void {
    this.#unconfirmed.push(index)
    this.#confirmTimer ??= setTimeout(() => this.#flushConfirmations(), CONFIRM_MS)
  }

  #flushConfirmations(): void {
    clearTimeout(this.#confirmTimer)
    this.#confirmTimer = undefined
    if (this.#unconfirmed.length === 0 || this.#isOver) return
    const sorted = this.#unconfirmed.toSorted((a, b) => a - b)
    this.#unconfirmed = []
    this.#sayRanges('done', toRanges(sorted))
  }

  #sayRanges(type: 'done' | 'have' | 'compare' | 'want', ranges: readonly ChunkRange[]): void {
    for (let at = 0; at < ranges.length; at += 1024) this.#say({ type, ranges: ranges.slice(at, at + 1024) })
  }

  // ---- what the sender says

  /** One message after another: each may have to wait for the disk. */
  #enqueue(message: Message): void {
    this.#messages = this.#messages.then(async () => {
      if (!this.#isOver) await this.#onMessage(message)
    })
    this.#messages.catch((error: unknown) => this.#fail(asTransferError(error, 'MESSAGE_INVALID')))
  }

  async #onMessage(message: Message): Promise<void> {
    if (this.taskId === undefined && message.type !== 'open')
      throw new TransferError('MESSAGE_INVALID', { reason: 'no open' })
    switch (message.type) {
      case 'open':
        return this.#onOpen(message)
      case 'manifest':
        return this.#onManifest(message.entries)
      case 'manifest-end':
        if (message.files !== this.#entries.length || message.bytes !== this.#layout.bytes) {
          throw new TransferError('MANIFEST_INVALID', { reason: 'sums differ' })
        }
        this.#expected = message
        return this.#finishWhenDone()
      case 'leaves':
        return this.#onLeaves(message.chunk, message.hashes)
      case 'failed':
        return this.#fileFailed(message.file, message.code, false)
      case 'pause':
        this.#isPaused = message.isPaused
        return
      case 'cancel':
        return this.#fail(new TransferError('CANCELLED', { by: 'sender' }))
      case 'accept':
      case 'compare':
      case 'want':
      case 'have':
      case 'ready':
      case 'done':
      case 'load':
      case 'complete':
        throw new TransferError('MESSAGE_INVALID', { reason: 'not for a receiver', type: message.type })
    }
  }

  async #onOpen(message: Extract<Message, { type: 'open' }>): Promise<void> {
    if (this.taskId !== undefined) throw new TransferError('MESSAGE_INVALID', { reason: 'opened twice' })
    this.taskId = Buffer.from(message.taskId).toString('hex')
    this.#hash = treeHashById(message.hashId).name
    await this.#request.onOpen?.(this.taskId)
    if (this.#isOver) return // While it waited for another connection of the task, a third one took its place.
    // From here on the files are to be closed, even when the end comes before they are all open.
    this.#isTargetOpen = true
    const opened = await this.#deps.disk.openTarget({
      root: this.#request.root,
      taskId: message.taskId,
      hash: this.#hash,
      distrust: DISTRUST_LEAVES,
    })
    this.#known = new Map(opened.known.map((file) => [file.path, file]))
    this.#isResumed = opened.isResumed
    this.#say({ type: 'accept', isResumed: opened.isResumed })
  }

  #onManifest(entries: readonly ManifestEntry[]): void {
    if (this.#entries.length + entries.length > MAX_ENTRIES)
      throw new TransferError('LIMIT_EXCEEDED', { what: 'entries' })
    const firstFile = this.#entries.length
    const firstChunk = this.#layout.chunks
    for (const entry of entries) {
      const clash = this.#clashes.add(entry.path, entry.kind)
      if (clash !== undefined) throw new TransferError('PATH_REFUSED', { fault: 'clash' })
    }
    this.#entries.addBatch(entries)
    this.#layout.addBatch(entries.map(({ size }) => size))
    const batch = this.#batches++
    if (this.#isResumed) {
      this.#sayRanges('have', toRanges(this.#keptChunks(firstChunk)))
      this.#sayRanges('compare', toRanges(this.#chunksToCompare(firstChunk)))
      this.#say({ type: 'ready', batch })
    }
    this.#makeEmpty(entries, firstFile)
    this.#takeEarly()
  }

  /** Chunks of a new batch that an earlier run brought; they count as done. */
  #keptChunks(firstChunk: number): number[] {
    const kept: number[] = []
    if (this.#known.size === 0) return kept
    for (let index = firstChunk; index < this.#layout.chunks; index++) {
      const chunk = this.#layout.chunk(index)
      if (!chunk.pieces.every((piece) => this.#isKept(piece))) continue
      kept.push(index)
      this.#written.add(index)
      this.#done.add(index)
      this.#bytesDone += chunk.length
      this.#keptBytes += chunk.length
      this.#filesDone += chunk.pieces.filter(
        ({ file }) => this.#known.get(this.#entryOf(file).path)?.isDone === true,
      ).length
    }
    return kept
  }

  #isKept(piece: { readonly file: number; readonly fileOffset: number }): boolean {
    const entry = this.#entryOf(piece.file)
    const known = this.#known.get(entry.path)
    if (known === undefined || known.size !== entry.size || known.mtimeMs !== entry.mtimeMs) return false
    return known.isDone || this.#leafSetOf(known).has(piece.fileOffset / LEAF_BYTES)
  }

  /** Leaves of files of which an earlier run brought another version: mostly a source that was changed in between. */
  #chunksToCompare(firstChunk: number): number[] {
    const found: number[] = []
    if (this.#known.size === 0) return found
    for (let index = firstChunk; index < this.#layout.chunks; index++) {
      const chunk = this.#layout.chunk(index)
      if (this.#written.has(index) || !this.#isLeaf(chunk) || !this.#hasOtherVersion(chunk)) continue
      this.#compared.add(index)
      found.push(index)
    }
    return found
  }

  /** The part file has a verified leaf of the same length at this place. */
  #hasOtherVersion({ pieces: [piece] }: Chunk): boolean {
    const known = piece === undefined ? undefined : this.#known.get(this.#entryOf(piece.file).path)
    if (piece === undefined || known === undefined || known.isDone) return false
    const length = Math.min(LEAF_BYTES, known.size - piece.fileOffset)
    return length === piece.length && this.#leafSetOf(known).has(piece.fileOffset / LEAF_BYTES)
  }

  async #compare(chunk: Chunk, hashes: Uint8Array): Promise<void> {
    const [first] = this.#piecesOf(chunk, hashes)
    if (first === undefined) return
    const { isSame, failed, waiting } = await this.#deps.disk.adoptLeaf(first.piece)
    for (const { file, code } of failed) this.#fileFailed(file, code, true)
    if (!isSame) {
      this.#keepLeaves(chunk.index, hashes)
      return this.#sayRanges('want', [[chunk.index, chunk.index + 1]])
    }
    this.#written.add(chunk.index)
    this.#done.add(chunk.index)
    this.#bytesDone += chunk.length
    this.#keptBytes += chunk.length
    const arrived = this.#open.get(chunk.index)
    if (arrived !== undefined) {
      this.#drop(arrived)
      this.#consumed(arrived.given)
    }
    this.#sayRanges('have', [[chunk.index, chunk.index + 1]])
    this.#placeSoon(waiting)
    this.#finishWhenDone()
  }

  readonly #leafSets = new Map<object, ReadonlySet<number>>()

  #leafSetOf(known: TargetOpened['known'][number]): ReadonlySet<number> {
    const cached = this.#leafSets.get(known)
    if (cached !== undefined) return cached
    const made = new Set(known.leaves)
    this.#leafSets.set(known, made)
    return made
  }

  #makeEmpty(batch: readonly ManifestEntry[], firstFile: number): void {
    const entries = batch.flatMap(({ kind, path, size, mtimeMs, mode }, index) =>
      size === 0 ? [{ file: firstFile + index, kind, path, mtimeMs, mode }] : [],
    )
    if (entries.length === 0) return
    this.#pendingEmpty++
    this.#deps.disk.makeEmpty(entries).then(
      (made) => {
        this.#pendingEmpty--
        this.#filesDone += made.folders
        for (const { file, code } of made.failed) this.#fileFailed(file, code, true)
        this.#placeSoon(made.waiting)
        this.#finishWhenDone()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  #onLeaves(index: number, hashes: Uint8Array): void | Promise<void> {
    if (index >= this.#layout.chunks) throw new TransferError('MESSAGE_INVALID', { reason: 'chunk beyond the end' })
    if (this.#written.has(index)) return
    if (hashes.length !== this.#layout.chunk(index).pieces.length * HASH_BYTES) {
      throw new TransferError('MESSAGE_INVALID', { reason: 'wrong count of leaves' })
    }
    if (this.#compared.delete(index)) return this.#compare(this.#layout.chunk(index), hashes)
    this.#keepLeaves(index, hashes)
  }

  #keepLeaves(index: number, hashes: Uint8Array): void {
    this.#leaves.set(index, hashes)
    const target = this.#open.get(index)
    if (target !== undefined && target.received >= target.chunk.length && target.have.has(0, target.chunk.length)) {
      this.#write(target)
    }
  }

  #entryOf(file: number): ManifestEntry {
    const entry = this.#entries.get(file)
    if (entry === undefined) throw new TransferError('MESSAGE_INVALID', { reason: 'unknown file', file })
    return entry
  }

  #fileFailed(file: number, code: string, tell: boolean): void {
    if (this.#failures.has(file)) return
    const failure = { path: this.#entryOf(file).path, code }
    this.#failures.set(file, failure)
    this.#deps.events?.fileFailed?.(failure)
    if (tell) this.#say({ type: 'failed', file, code })
  }

  // ---- the end

  #finishWhenDone(): void {
    if (this.#expected === undefined || this.#isFinishing || this.#isOver) return
    if (this.#written.size < this.#layout.chunks || this.#pendingEmpty > 0 || this.#isPlacing) return
    if (this.#waitingFiles > 0 || this.#unplaced.length > 0) return this.#place()
    this.#isFinishing = true
    this.#flushConfirmations()
    // With failures the journal stays: a second run brings only what is missing.
    const how = this.#failures.size === 0 ? 'complete' : 'clean'
    this.#closeTarget(how).then(
      () => this.#farewell(),
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  #farewell(): void {
    this.#say({ type: 'complete', files: this.#entries.length - this.#failures.size, failed: this.#failures.size })
    setTimeout(() => this.#deps.channel.close(0, 'done'), FAREWELL_MS).unref()
  }

  closed(close: { code: number; reason: string; by: 'peer' | 'self' | 'network' }): void {
    if (!this.#isFinishing) return this.#fail(new TransferError('PEER_LOST', { reason: close.reason, by: close.by }))
    this.#stop()
    this.#outcome.resolve({
      files: this.#entries.length - this.#failures.size,
      bytes: this.#layout.bytes,
      keptBytes: this.#keptBytes,
      failures: [...this.#failures.values()],
    })
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#say({ type: 'pause', isPaused })
  }

  cancel(): void {
    if (this.#isOver) return
    this.#fail(new TransferError('CANCELLED'))
  }

  async yieldTo(): Promise<void> {
    this.#fail(new TransferError('PEER_LOST', { reason: 'another connection goes on' }))
    // Why files could not be closed in good order was told by the result; the next one trusts nothing that is not on disk.
    await this.#closing?.catch(() => undefined)
  }

  #fail(error: TransferError): void {
    if (this.#isOver) return
    if (error.code !== 'PEER_LOST') this.#say({ type: 'cancel', code: error.code })
    this.#stop()
    this.#outcome.reject(error)
    this.#closeTarget('clean').catch(() => undefined)
    setTimeout(() => this.#deps.channel.close(4, error.code), 200).unref()
  }

  #closeTarget(how: 'complete' | 'clean'): Promise<void> {
    this.#closing ??= this.#isTargetOpen ? this.#deps.disk.closeTarget({ how }) : Promise.resolve()
    return this.#closing
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    clearTimeout(this.#confirmTimer)
    clearTimeout(this.#placeTimer)
  }

  #say(message: Message): void {
    if (this.#isOver) return
    const [start, end] = this.#outgoing.append(message)
    this.#deps.channel.send(MESSAGE_OBJECT, start, end)
  }

  #report(): void {
    if (this.#isOver || this.taskId === undefined) return
    const { channel, events } = this.#deps
    const diskPercent = Math.min(100, Math.round(((this.#busyMs - this.#busyBefore) / REPORT_MS) * 100))
    this.#busyBefore = this.#busyMs
    if (!this.#isFinishing) this.#say({ type: 'load', diskPercent, waitingBytes: this.#waitingBytes })
    const progress: TransferProgress = {
      state: this.#isPaused
        ? 'paused'
        : this.#isFinishing
          ? 'finishing'
          : this.#expected === undefined
            ? 'listing'
            : 'running',
      files: this.#entries.length,
      filesDone: this.#filesDone,
      bytes: this.#layout.bytes,
      bytesDone: this.#bytesDone,
      bytesMoved: this.#bytesMoved,
      bytesPerSecond: this.#reporter.speed(this.#bytesDone - this.#keptBytes),
      secondsLeft:
        this.#expected === undefined ? undefined : this.#reporter.secondsLeft(this.#layout.bytes - this.#bytesDone),
      bottleneck: undefined,
      path: channel.path,
    }
    events?.progress?.(progress)
  }
}
