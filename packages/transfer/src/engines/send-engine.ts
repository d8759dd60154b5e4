// One class past 250 lines: what is listed, loaded, sent and confirmed is one state, in the order in which a chunk passes.
import type { ByteSource } from '@godwit/transport/core'
import type { ChannelOwner, PathReport } from '@godwit/transport/node'
import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES, HASH_IDS } from '../hashes/tree-hash.ts'
import { type Chunk, Layout, type Piece } from '../manifests/layout.ts'
import { MAX_BATCH_ENTRIES } from '../manifests/manifest.codec.ts'
import { IncomingMessages, MESSAGE_OBJECT, OutgoingMessages } from '../messages/message-log.ts'
import type { Message, NumberRange } from '../messages/messages.ts'
import type { SourceItem, SourceSpan } from '../sources/source.ts'
import type { Block } from './block-pool.ts'
import { BODY_OBJECT, type TransferProgress, type TransferResult } from './engine.types.ts'
import { closeOnceHeard } from './farewell.ts'
import { LoadedChunks } from './loaded-chunks.ts'
import { Reporter } from './reporter.ts'
import type { SendDeps, SendRequest, SendTask } from './send.types.ts'
import { SendTally } from './send-tally.ts'
import { asTransferError } from './transfer-faults.ts'
import { blockOffsets, partsOf, wantedBytes } from './wanted-pieces.ts'

/** Bytes queued ahead of the network. More only costs memory; less starves a fast line between two reads. */
const AHEAD_BYTES = 12 * 1024 * 1024
/** Chunks being read at once. */
const MAX_LOADING = 6
/** Sent before the receiver has reported what it already has: more than a new path carries in the round trip until then. */
const UNASKED_BYTES = 1024 * 1024
/** Chunks read ahead of the network. Those of tiny files are small: by bytes alone they would push each other out. */
const MAX_AHEAD = 24
const REPORT_MS = 200
/** Entries of a first batch: small, so that bytes flow before a long list is complete. */
const FIRST_BATCH = 64

/**
 * Sends files over a channel and settles when the receiver has everything in place.
 * @throws TransferError CANCELLED, PEER_LOST, PEER_REFUSED, or what the peer gave as its reason
 */
export function sendFiles(deps: SendDeps, request: SendRequest): SendTask {
  return new SendEngine(deps, request)
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
  readonly #chunks = new LoadedChunks(this.#layout, (chunk) => this.#reload(chunk))
  readonly #reloading = new Set<number>()
  readonly #tally: SendTally
  readonly #reporter: Reporter
  readonly #timer: NodeJS.Timeout
  /** Chunks whose hashes the receiver compares with what it has; their bytes go only if it wants them. */
  readonly #compared = new Set<number>()
  readonly #wanted = new Set<number>()
  #cursor = 0
  #loading = 0
  #unaskedBytes = 0
  #answer: 'none' | 'at-once' | 'by-batch' = 'none'
  #readyBatches = 0
  #isListed = false
  #isPaused = false
  #isOver = false
  #bytesMoved = 0
  #peerDisk = 0

  constructor(deps: SendDeps, request: SendRequest) {
    this.#deps = deps
    this.#request = request
    this.#reporter = new Reporter(deps.nowMs, deps.cpu ?? (() => undefined))
    this.#tally = new SendTally(this.#items, request.existing ?? 'keep-newer', deps.events ?? {})
    this.result = this.#outcome.promise
    deps.channel.start(this)
    const { taskId, existing = 'keep-newer', isChecksum = false, isDryRun = false } = request
    this.#sendMessage({ type: 'open', taskId, hashId: HASH_IDS[request.hash], existing, isChecksum, isDryRun })
    request.signal?.addEventListener('abort', () => this.cancel(), { once: true })
    this.#timer = setInterval(() => this.#report(), REPORT_MS)
    this.#list().catch((error: unknown) => this.#fail(asTransferError(error, 'SOURCE_UNREADABLE')))
  }

  /** A verdict could make all of them unnecessary. */
  get #maxUnasked(): number {
    return this.#request.isChecksum === true ? 0 : UNASKED_BYTES
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#deps.channel.setPaused(isPaused)
    this.#sendMessage({ type: 'pause', isPaused })
    this.#report()
  }

  cancel(): void {
    if (this.#isOver) return
    this.#sendMessage({ type: 'cancel', code: 'CANCELLED', reason: '' })
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
    this.#sendMessage({ type: 'manifest-end', files: this.#items.length, bytes: this.#layout.bytes })
  }

  #announce(batch: readonly SourceItem[]): void {
    for (const item of batch) this.#items.push(item)
    this.#layout.addBatch(batch.map(({ entry }) => entry.size))
    this.#batchEnds.push(this.#layout.chunks)
    this.#sendMessage({ type: 'manifest', entries: batch.map(({ entry }) => entry) })
    this.#fill()
  }

  // ---- loading

  /** Loads the next chunks while the network has less than enough to do. */
  #fill(): void {
    const { channel } = this.#deps
    while (!this.#isOver && this.#loading < MAX_LOADING && (this.#wanted.size > 0 || this.#cursor < this.#limit())) {
      if (channel.pendingBytes + this.#loading * 1024 * 1024 > AHEAD_BYTES) return
      if (this.#chunks.untaken + this.#loading > MAX_AHEAD) return
      if (this.#answer === 'none' && this.#unaskedBytes >= this.#maxUnasked) return
      const index = this.#next()
      if (!this.#tally.hasChunk(index)) this.#load(this.#layout.chunk(index))
    }
  }

  #next(): number {
    const [wanted] = this.#wanted
    if (wanted === undefined) return this.#cursor++
    this.#wanted.delete(wanted)
    return wanted
  }

  /** Chunks before this one may be sent: when the receiver answers by batch, only those it has answered for. */
  #limit(): number {
    if (this.#request.isDryRun === true) return 0
    if (this.#answer !== 'by-batch') return this.#layout.chunks
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
        this.#sendMessage({ type: 'leaves', chunk: chunk.index, hashes: leaves })
        if (isCompared) this.#chunks.releaseBlock(block)
        else this.#send(chunk, block)
        this.#fill()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'SOURCE_UNREADABLE')),
    )
  }

  #send(chunk: Chunk, block: Block): void {
    const parts = partsOf(chunk, ({ file }) => !this.#tally.left.has(file))
    this.#chunks.keep(chunk, block, wantedBytes(chunk, this.#tally.left))
    for (const [from, end] of parts) this.#deps.channel.send(BODY_OBJECT, chunk.start + from, chunk.start + end)
  }

  async #read(chunk: Chunk): Promise<{ block: Block; leaves: Uint8Array }> {
    const block = this.#chunks.takeBlock()
    const offsets = blockOffsets(chunk)
    const indexes = chunk.pieces.flatMap(({ file }, index) => (this.#tally.left.has(file) ? [] : [index]))
    const spans = indexes.map((index) => this.#spanOf(chunk.pieces[index], offsets[index] ?? 0))
    const read = await this.#deps.source.read({ block, hash: this.#request.hash, spans })
    const leaves = new Uint8Array(chunk.pieces.length * HASH_BYTES)
    indexes.forEach((index, span) =>
      leaves.set(read.leaves.subarray(span * HASH_BYTES, (span + 1) * HASH_BYTES), index * HASH_BYTES),
    )
    for (const { span, fault } of read.faults) {
      const file = chunk.pieces[indexes[span] ?? -1]?.file
      if (file !== undefined) this.#fileFailed(file, fault, true)
    }
    return { block, leaves }
  }

  #spanOf(piece: Piece | undefined, blockOffset: number): SourceSpan {
    const item = piece === undefined ? undefined : this.#items[piece.file]
    if (piece === undefined || item === undefined) throw new Error('a piece of no file')
    const { size, mtimeMs } = item.entry
    return { ref: item.ref, fileOffset: piece.fileOffset, length: piece.length, blockOffset, size, mtimeMs }
  }

  /** A repair needs a chunk that is no longer in memory. */
  #reload(chunk: Chunk): void {
    if (this.#reloading.has(chunk.index)) return
    this.#reloading.add(chunk.index)
    this.#read(chunk).then(
      ({ block }) => {
        this.#reloading.delete(chunk.index)
        if (this.#isOver) return
        this.#chunks.keep(chunk, block, wantedBytes(chunk, this.#tally.left))
        this.#deps.channel.sourceReady()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'SOURCE_UNREADABLE')),
    )
  }

  // ---- requests of the channel

  readonly source = {
    read: (...[object, offset, length, target, at]: Parameters<ByteSource['read']>): boolean =>
      object === MESSAGE_OBJECT
        ? this.#outgoing.read(offset, length, { bytes: target, at })
        : this.#chunks.read(offset, length, { bytes: target, at }),
  }

  acked(object: number, start: number, end: number): void {
    if (object === MESSAGE_OBJECT) return this.#outgoing.acked(start, end)
    this.#bytesMoved += end - start
    this.#chunks.acked(start, end)
    this.#fill()
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

  // ---- messages of the receiver

  #onMessage(message: Message): void {
    switch (message.type) {
      case 'accept':
        return this.#accepted(message)
      case 'have':
        return this.#confirm(message.ranges, true)
      case 'compare':
        return this.#eachChunk(message.ranges, (index) => this.#compared.add(index))
      case 'want':
        this.#eachChunk(message.ranges, (index) => this.#wanted.add(index))
        return this.#fill()
      case 'verdict':
        return this.#tally.judge(message.verdict, message.files)
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
        return this.#fail(new TransferError('PEER_REFUSED', { code: message.code, reason: message.reason }))
      case 'open':
      case 'manifest':
      case 'manifest-end':
      case 'leaves':
        throw new TransferError('MESSAGE_INVALID', { reason: 'not for a sender', type: message.type })
    }
  }

  #accepted({ isAnswering, keeps }: Extract<Message, { type: 'accept' }>): void {
    this.#answer = isAnswering ? 'by-batch' : 'at-once'
    this.#deps.events?.accepted?.(keeps)
    this.#fill()
  }

  #confirm(ranges: readonly NumberRange[], isKept: boolean): void {
    this.#eachChunk(ranges, (index) => this.#confirmOne(index, isKept))
    this.#fill()
  }

  #eachChunk(ranges: readonly NumberRange[], visit: (index: number) => void): void {
    for (const [first, end] of ranges) {
      if (end > this.#layout.chunks) throw new TransferError('MESSAGE_INVALID', { reason: 'chunk beyond the end' })
      for (let index = first; index < end; index++) visit(index)
    }
  }

  #confirmOne(index: number, isKept: boolean): void {
    if (this.#tally.hasChunk(index)) return
    this.#tally.confirm(this.#layout.chunk(index), isKept)
    this.#chunks.release(index)
  }

  #fileFailed(file: number, code: string, isAnnounced: boolean): void {
    if (this.#tally.fail(file, code) && isAnnounced) this.#sendMessage({ type: 'failed', file, code })
  }

  #complete(files: number): void {
    // Folders and empty files were in no chunk: only now are they known to be there.
    this.#tally.filesDone = files
    this.#report()
    this.#stop()
    this.#deps.channel.close(0, 'done')
    this.#outcome.resolve({
      files,
      bytes: this.#layout.bytes,
      keptBytes: this.#tally.keptBytes,
      verdicts: this.#tally.verdicts,
      failures: this.#tally.failures.all,
    })
  }

  #fail(error: TransferError): void {
    if (this.#isOver) return
    this.#stop()
    this.#outcome.reject(error)
    // A paused channel carries no messages either.
    this.#deps.channel.setPaused(false)
    closeOnceHeard(this.#deps.channel, this.#outgoing, error)
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }

  #sendMessage(message: Message): void {
    const [start, end] = this.#outgoing.append(message)
    this.#deps.channel.send(MESSAGE_OBJECT, start, end)
  }

  #report(): void {
    if (this.#isOver) return
    const { events, channel } = this.#deps
    const { bytesDone, keptBytes, filesDone } = this.#tally
    this.#fill()
    const bytesPerSecond = this.#reporter.speed(bytesDone - keptBytes)
    const progress: TransferProgress = {
      state: this.#stateName(),
      files: this.#items.length,
      filesDone,
      bytes: this.#layout.bytes,
      bytesDone,
      bytesMoved: this.#bytesMoved,
      bytesPerSecond,
      secondsLeft: this.#isListed ? this.#reporter.secondsLeft(this.#layout.bytes - bytesDone) : undefined,
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
    return this.#tally.chunksDone === this.#layout.chunks ? 'finishing' : 'running'
  }
}
