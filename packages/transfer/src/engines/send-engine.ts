// One class past 250 lines: what is listed, loaded, sent and confirmed is one state, told in the order a chunk walks.
import type { ByteSource } from '@godwit/transport/core'
import type { ByteChannel, ChannelOwner, PathReport } from '@godwit/transport/node'
import { TransferError, type TransferErrorCode } from '../errors/transfer-error.ts'
import { HASH_BYTES, HASH_IDS, type HashName } from '../hashes/tree-hash.ts'
import { type Chunk, Layout } from '../manifests/layout.ts'
import { MAX_BATCH_ENTRIES } from '../manifests/manifest.codec.ts'
import { IncomingMessages, MESSAGE_OBJECT, OutgoingMessages } from '../messages/message-log.ts'
import type { ChunkRange, Message } from '../messages/messages.ts'
import type { FileFailure, Source, SourceItem, SourceSpan } from '../sources/source.ts'
import { type Block, BlockPool } from './block-pool.ts'
import { ChunkSet } from './chunk-set.ts'
import {
  BODY_OBJECT,
  type EngineEvents,
  type MonotonicMs,
  type TransferProgress,
  type TransferResult,
} from './engine.types.ts'
import { Reporter, type ThreadCpu } from './reporter.ts'

/** Bytes queued ahead of the network. More only costs memory; less starves a fast line between two reads. */
const AHEAD_BYTES = 12 * 1024 * 1024
/** Chunks being read at once. */
const MAX_LOADING = 6
/** Before the receiver said whether it has something from before, only this much is sent. */
const UNASKED_BYTES = 8 * 1024 * 1024
/** Blocks kept for repairs. Older ones are read again when a repair asks for them. */
const MAX_BLOCKS = 48
/** Chunks read ahead of the network. Those of tiny files are small: by bytes alone they would push each other out. */
const MAX_AHEAD = 24
const REPORT_MS = 200
/** Entries of a first batch: small, so that bytes flow before a long list is complete. */
const FIRST_BATCH = 64

export interface SendDeps {
  readonly channel: ByteChannel
  readonly source: Source
  readonly nowMs: MonotonicMs
  readonly cpu?: ThreadCpu
  readonly events?: EngineEvents
}

export interface SendRequest {
  /** 16 bytes. The same id makes the receiver go on where an earlier run stopped. */
  readonly taskId: Uint8Array
  readonly hash: HashName
  /** For the bottleneck's text; Infinity when there is none. */
  readonly limitBitsPerSecond?: () => number
  readonly signal?: AbortSignal
}

interface Loaded {
  readonly chunk: Chunk
  readonly block: Block
  acked: number
  /** The network has asked for some of it. */
  isTaken: boolean
}

/**
 * Sends files over a channel and settles when the receiver has everything in place.
 * @throws TransferError CANCELLED, PEER_LOST, PEER_REFUSED, or what the peer gave as its reason
 */
export function sendFiles(deps: SendDeps, request: SendRequest): SendTask {
  return new SendEngine(deps, request)
}

export interface SendTask {
  readonly result: Promise<TransferResult>
  setPaused(isPaused: boolean): void
  cancel(): void
}

class SendEngine implements SendTask, ChannelOwner {
  readonly result: Promise<TransferResult>
  readonly #outcome = Promise.withResolvers<TransferResult>()
  readonly #deps: SendDeps
  readonly #request: SendRequest
  readonly #layout = new Layout()
  readonly #items: SourceItem[] = []
  readonly #batchEnds: number[] = []
  readonly #outgoing = new OutgoingMessages()
  readonly #incoming = new IncomingMessages()
  readonly #pool = new BlockPool()
  /** In the order of loading: the first is the oldest. */
  readonly #loaded = new Map<number, Loaded>()
  readonly #reloading = new Set<number>()
  readonly #done = new ChunkSet()
  readonly #failures = new Map<number, FileFailure>()
  readonly #reporter: Reporter
  readonly #timer: NodeJS.Timeout
  /** Chunks whose hashes the receiver compares with what it has; their bytes go only if it wants them. */
  readonly #compared = new Set<number>()
  readonly #wanted = new Set<number>()
  #last: Loaded | undefined
  #cursor = 0
  #loading = 0
  /** Chunks in memory that the network has not asked for yet. */
  #untaken = 0
  #unaskedBytes = 0
  #answer: 'none' | 'fresh' | 'resumed' = 'none'
  #readyBatches = 0
  #isListed = false
  #isPaused = false
  #isOver = false
  #bytesDone = 0
  #keptBytes = 0
  #filesDone = 0
  #bytesMoved = 0
  #peerDisk = 0

  constructor(deps: SendDeps, request: SendRequest) {
    this.#deps = deps
    this.#request = request
    this.#reporter = new Reporter(deps.nowMs, deps.cpu ?? (() => undefined))
    this.result = this.#outcome.promise
    deps.channel.start(this)
    this.#say({ type: 'open', taskId: request.taskId, hashId: HASH_IDS[request.hash] })
    request.signal?.addEventListener('abort', () => this.cancel(), { once: true })
    this.#timer = setInterval(() => this.#report(), REPORT_MS)
    this.#list().catch((error: unknown) => this.#fail(asTransferError(error, 'SOURCE_UNREADABLE')))
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#deps.channel.setPaused(isPaused)
    this.#say({ type: 'pause', isPaused })
    this.#report()
  }

  cancel(): void {
    if (this.#isOver) return
    this.#say({ type: 'cancel', code: 'CANCELLED' })
    this.#fail(new TransferError('CANCELLED'))
  }

  // ---- listing

  async #list(): Promise<void> {
    let batch: SourceItem[] = []
    const { source, events } = this.#deps
    for await (const item of source.list((skipped) => events?.fileSkipped?.(skipped))) {
      if (this.#isOver) return
      batch.push(item)
      if (batch.length >= (this.#items.length === 0 ? FIRST_BATCH : MAX_BATCH_ENTRIES)) {
        this.#announce(batch)
        batch = []
      }
    }
    if (batch.length > 0) this.#announce(batch)
    this.#isListed = true
    this.#say({ type: 'manifest-end', files: this.#items.length, bytes: this.#layout.bytes })
  }

  #announce(batch: readonly SourceItem[]): void {
    for (const item of batch) this.#items.push(item)
    this.#layout.addBatch(batch.map(({ entry }) => entry.size))
    this.#batchEnds.push(this.#layout.chunks)
    this.#say({ type: 'manifest', entries: batch.map(({ entry }) => entry) })
    this.#fill()
  }

  // ---- loading

  /** Loads the next chunks while the network has less than enough to do. */
  #fill(): void {
    const { channel } = this.#deps
    while (!this.#isOver && this.#loading < MAX_LOADING && (this.#wanted.size > 0 || this.#cursor < this.#limit())) {
      if (channel.pendingBytes + this.#loading * 1024 * 1024 > AHEAD_BYTES) return
      if (this.#untaken + this.#loading > MAX_AHEAD) return
      if (this.#answer === 'none' && this.#unaskedBytes >= UNASKED_BYTES) return
      const index = this.#next()
      if (!this.#done.has(index)) this.#load(this.#layout.chunk(index))
    }
  }

  #next(): number {
    const [wanted] = this.#wanted
    if (wanted === undefined) return this.#cursor++
    this.#wanted.delete(wanted)
    return wanted
  }

  /** Chunks before this one may be sent: when the receiver resumes, only those it has answered for. */
  #limit(): number {
    if (this.#answer !== 'resumed') return this.#layout.chunks
    return this.#readyBatches === 0 ? 0 : (this.#batchEnds[this.#readyBatches - 1] ?? this.#layout.chunks)
  }

  #load(chunk: Chunk): void {
    this.#loading++
    if (this.#answer === 'none') this.#unaskedBytes += chunk.length
    const isCompared = this.#compared.delete(chunk.index)
    this.#read(chunk).then(
      ({ block, leaves }) => {
        this.#loading--
        if (this.#isOver) return
        this.#say({ type: 'leaves', chunk: chunk.index, hashes: leaves })
        if (isCompared) this.#pool.give(block)
        else {
          this.#keep(chunk, block)
          this.#deps.channel.send(BODY_OBJECT, chunk.start, chunk.start + chunk.length)
        }
        this.#fill()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'SOURCE_UNREADABLE')),
    )
  }

  async #read(chunk: Chunk): Promise<{ block: Block; leaves: Uint8Array }> {
    const block = this.#takeBlock()
    const read = await this.#deps.source.read({
      block,
      hash: this.#request.hash,
      spans: chunk.pieces.map((piece) => this.#spanOf(piece)),
    })
    for (const { span, fault } of read.faults) {
      const file = chunk.pieces[span]?.file
      if (file !== undefined) this.#fileFailed(file, fault, true)
    }
    return { block, leaves: read.leaves }
  }

  #spanOf(piece: Chunk['pieces'][number]): SourceSpan {
    const item = this.#items[piece.file]
    if (item === undefined) throw new Error(`no file ${piece.file}`)
    const { size, mtimeMs } = item.entry
    return { ref: item.ref, fileOffset: piece.fileOffset, length: piece.length, size, mtimeMs }
  }

  #keep(chunk: Chunk, block: Block): void {
    this.#loaded.set(chunk.index, { chunk, block, acked: 0, isTaken: false })
    this.#untaken++
  }

  #takeBlock(): Block {
    const [oldest] = this.#loaded
    if (oldest !== undefined && this.#loaded.size >= MAX_BLOCKS) this.#release(oldest[0])
    return this.#pool.take()
  }

  #release(index: number): void {
    const loaded = this.#loaded.get(index)
    if (loaded === undefined) return
    this.#loaded.delete(index)
    this.#take(loaded)
    if (this.#last === loaded) this.#last = undefined
    this.#pool.give(loaded.block)
  }

  /** A repair asks for a chunk that is no longer in memory. */
  #reload(chunk: Chunk): void {
    if (this.#reloading.has(chunk.index)) return
    this.#reloading.add(chunk.index)
    this.#read(chunk).then(
      ({ block }) => {
        this.#reloading.delete(chunk.index)
        if (this.#isOver) return
        this.#keep(chunk, block)
        this.#deps.channel.sourceReady()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'SOURCE_UNREADABLE')),
    )
  }

  // ---- what the channel asks

  readonly source = {
    read: (...[object, offset, length, target, at]: Parameters<ByteSource['read']>): boolean =>
      object === MESSAGE_OBJECT
        ? this.#outgoing.read(offset, length, { bytes: target, at })
        : this.#readBody(offset, length, { bytes: target, at }),
  }

  #readBody(offset: number, length: number, target: { bytes: Uint8Array; at: number }): boolean {
    let done = 0
    while (done < length) {
      const loaded = this.#loadedAt(offset + done)
      if (loaded === undefined) return false
      const from = offset + done - loaded.chunk.start
      const count = Math.min(length - done, loaded.chunk.length - from)
      target.bytes.set(loaded.block.subarray(from, from + count), target.at + done)
      done += count
    }
    return true
  }

  #loadedAt(position: number): Loaded | undefined {
    const last = this.#last
    if (last !== undefined && position >= last.chunk.start && position < last.chunk.start + last.chunk.length)
      return last
    const chunk = this.#layout.chunkAt(position)
    const loaded = this.#loaded.get(chunk.index)
    if (loaded === undefined) this.#reload(chunk)
    else {
      this.#last = loaded
      this.#take(loaded)
    }
    return loaded
  }

  #take(loaded: Loaded): void {
    if (!loaded.isTaken) this.#untaken--
    loaded.isTaken = true
  }

  acked(object: number, start: number, end: number): void {
    if (object === MESSAGE_OBJECT) return this.#outgoing.acked(start, end)
    this.#bytesMoved += end - start
    let at = start
    while (at < end) {
      const chunk = this.#chunkAt(at)
      const stop = Math.min(end, chunk.start + chunk.length)
      const loaded = this.#loaded.get(chunk.index)
      // Counted twice after a change of path, a block goes too early: then it is read again, nothing worse.
      if (loaded !== undefined && (loaded.acked += stop - at) >= chunk.length) this.#release(chunk.index)
      at = stop
    }
    this.#fill()
  }

  #ackedChunk: Chunk | undefined

  /** Acknowledgements mostly stay within one chunk. */
  #chunkAt(position: number): Chunk {
    const known = this.#ackedChunk
    if (known !== undefined && position >= known.start && position < known.start + known.length) return known
    return (this.#ackedChunk = this.#layout.chunkAt(position))
  }

  data(object: number, offset: number, bytes: Uint8Array): void {
    this.#deps.channel.consumed(bytes.length)
    if (object !== MESSAGE_OBJECT || this.#isOver) return
    try {
      for (const message of this.#incoming.take(offset, bytes)) this.#onMessage(message)
    } catch (error) {
      this.#fail(asTransferError(error, 'MESSAGE_INVALID'))
    }
  }

  pathChanged(report: PathReport): void {
    this.#deps.events?.path?.(report)
  }

  closed(close: { code: number; reason: string; by: 'peer' | 'self' | 'network' }): void {
    this.#fail(new TransferError('PEER_LOST', { reason: close.reason, by: close.by }))
  }

  // ---- what the receiver says

  #onMessage(message: Message): void {
    switch (message.type) {
      case 'accept':
        this.#answer = message.isResumed ? 'resumed' : 'fresh'
        return this.#fill()
      case 'have':
        return this.#confirm(message.ranges, true)
      case 'compare':
        return this.#eachChunk(message.ranges, (index) => this.#compared.add(index))
      case 'want':
        this.#eachChunk(message.ranges, (index) => this.#wanted.add(index))
        return this.#fill()
      case 'ready':
        this.#readyBatches = message.batch + 1
        return this.#fill()
      case 'done':
        return this.#confirm(message.ranges, false)
      case 'failed':
        return this.#fileFailed(message.file, message.code, false)
      case 'load':
        this.#peerDisk = message.diskPercent
        return
      case 'pause':
        this.#isPaused = message.isPaused
        return this.#deps.channel.setPaused(message.isPaused)
      case 'complete':
        return this.#complete(message.files)
      case 'cancel':
        return this.#fail(new TransferError('PEER_REFUSED', { code: message.code }))
      case 'open':
      case 'manifest':
      case 'manifest-end':
      case 'leaves':
        throw new TransferError('MESSAGE_INVALID', { reason: 'not for a sender', type: message.type })
    }
  }

  #confirm(ranges: readonly ChunkRange[], isKept: boolean): void {
    this.#eachChunk(ranges, (index) => this.#confirmOne(index, isKept))
    this.#fill()
  }

  #eachChunk(ranges: readonly ChunkRange[], visit: (index: number) => void): void {
    for (const [first, end] of ranges) {
      if (end > this.#layout.chunks) throw new TransferError('MESSAGE_INVALID', { reason: 'chunk beyond the end' })
      for (let index = first; index < end; index++) visit(index)
    }
  }

  #confirmOne(index: number, isKept: boolean): void {
    if (!this.#done.add(index)) return
    const chunk = this.#layout.chunk(index)
    this.#bytesDone += chunk.length
    if (isKept) this.#keptBytes += chunk.length
    this.#filesDone += chunk.pieces.filter((piece) => {
      const size = this.#items[piece.file]?.entry.size ?? 0
      return piece.fileOffset + piece.length === size
    }).length
    this.#release(index)
  }

  #fileFailed(file: number, code: string, tell: boolean): void {
    if (this.#failures.has(file)) return
    const failure = { path: this.#items[file]?.entry.path ?? '', code }
    this.#failures.set(file, failure)
    this.#deps.events?.fileFailed?.(failure)
    if (tell) this.#say({ type: 'failed', file, code })
  }

  #complete(files: number): void {
    // Folders and empty files were in no chunk: only now are they known to be there.
    this.#filesDone = files
    this.#report()
    this.#stop()
    this.#deps.channel.close(0, 'done')
    this.#outcome.resolve({
      files,
      bytes: this.#layout.bytes,
      keptBytes: this.#keptBytes,
      failures: [...this.#failures.values()],
    })
  }

  #fail(error: TransferError): void {
    if (this.#isOver) return
    this.#stop()
    this.#outcome.reject(error)
    // The farewell message is on its way; a moment later the channel's own close says the same.
    setTimeout(() => this.#deps.channel.close(4, error.code), 200)
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }

  #say(message: Message): void {
    const [start, end] = this.#outgoing.append(message)
    this.#deps.channel.send(MESSAGE_OBJECT, start, end)
  }

  #report(): void {
    if (this.#isOver) return
    const { events, channel } = this.#deps
    this.#fill()
    const bytesPerSecond = this.#reporter.speed(this.#bytesDone - this.#keptBytes)
    const progress: TransferProgress = {
      state: this.#stateName(),
      files: this.#items.length,
      filesDone: this.#filesDone,
      bytes: this.#layout.bytes,
      bytesDone: this.#bytesDone,
      bytesMoved: this.#bytesMoved,
      bytesPerSecond,
      secondsLeft: this.#isListed ? this.#reporter.secondsLeft(this.#layout.bytes - this.#bytesDone) : undefined,
      bottleneck: this.#reporter.bottleneck(channel, {
        diskPercent: this.#peerDisk,
        limitBitsPerSecond: this.#request.limitBitsPerSecond?.() ?? Infinity,
      }),
      path: channel.path,
    }
    events?.progress?.(progress)
  }

  #stateName(): TransferProgress['state'] {
    if (this.#isPaused) return 'paused'
    if (!this.#isListed) return 'listing'
    return this.#done.size === this.#layout.chunks ? 'finishing' : 'running'
  }
}

/** Leaves of `pieces` pieces without content: the source gave nothing. */
export function isVoid(leaf: Uint8Array): boolean {
  return leaf.length === HASH_BYTES && leaf.every((byte) => byte === 0)
}

export function asTransferError(error: unknown, code: TransferErrorCode): TransferError {
  if (error instanceof TransferError) return error
  return new TransferError(code, { reason: error instanceof Error ? error.message : 'unknown' }, { cause: error })
}
