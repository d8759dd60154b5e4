// One class past 250 lines: it joins list, bytes, disk and confirmations, told in the order a chunk walks.
import type { ByteSource } from '@godwit/transport/core'
import type { ByteChannel, ChannelOwner, PathReport } from '@godwit/transport/node'
import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES, treeHashById } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import type { Chunk } from '../manifests/layout.ts'
import { IncomingMessages, MESSAGE_OBJECT, OutgoingMessages } from '../messages/message-log.ts'
import type { ChunkRange, Message } from '../messages/messages.ts'
import type { FileFailure } from '../sources/source.ts'
import type { CloseReason, FileFault, Target, TargetSpan } from '../targets/target.ts'
import { type ArrivingChunk, ArrivingChunks } from './arriving-chunks.ts'
import { ChunkSet, toRanges } from './chunk-set.ts'
import { Confirmations } from './confirmations.ts'
import { EarlierRun } from './earlier-run.ts'
import {
  BODY_OBJECT,
  type EngineEvents,
  type MonotonicMs,
  type TransferProgress,
  type TransferResult,
} from './engine.types.ts'
import { GrowingWindow } from './growing-window.ts'
import { type BatchStart, IncomingManifest } from './incoming-manifest.ts'
import { CommitQueue } from './commit-queue.ts'
import { Reporter, type ThreadCpu } from './reporter.ts'
import { asTransferError, isVoid } from './send-engine.ts'

const REPORT_MS = 500
/** Ranges that one message holds. */
const MESSAGE_RANGES = 1024
/** After the last word the sender has this long to close before this side does. */
const FAREWELL_MS = 5000

export interface ReceiveDeps {
  readonly channel: ByteChannel
  readonly target: Target
  readonly nowMs: MonotonicMs
  readonly cpu?: ThreadCpu
  readonly events?: EngineEvents
}

export interface ReceiveRequest {
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

class ReceiveEngine implements ReceiveTask, ChannelOwner {
  readonly result: Promise<TransferResult>
  readonly #outcome = Promise.withResolvers<TransferResult>()
  readonly #deps: ReceiveDeps
  readonly #request: ReceiveRequest
  readonly #manifest = new IncomingManifest()
  readonly #outgoing = new OutgoingMessages()
  readonly #incoming = new IncomingMessages()
  readonly #arriving: ArrivingChunks
  readonly #commits: CommitQueue
  readonly #confirmations = new Confirmations((ranges) => this.#sayRanges('done', ranges))
  readonly #window: GrowingWindow
  /** With the disk: no byte of them is wanted again. */
  readonly #written = new ChunkSet()
  /** Leaves that may be the same as in another version of their file; the sender was asked for their hashes. */
  readonly #compared = new Set<number>()
  readonly #failures = new Map<number, FileFailure>()
  readonly #reporter: Reporter
  readonly #timer: NodeJS.Timeout
  #messages: Promise<void> = Promise.resolve()
  #earlier: EarlierRun
  #busyMs = 0
  #busyBefore = 0
  /** Bytes with the disk that are not written yet. */
  #waitingBytes = 0
  #bytesDone = 0
  #keptBytes = 0
  #filesDone = 0
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
    this.#arriving = new ArrivingChunks(this.#manifest.layout, {
      isWritten: (chunk) => this.#written.has(chunk),
      complete: (arrived, hashes) => this.#write(arrived, hashes),
      superfluous: (bytes) => deps.channel.consumed(bytes),
    })
    this.#commits = new CommitQueue({
      commit: () => deps.target.commit(),
      committed: ({ committed, failed, busyMs }, chunks) => {
        this.#busyMs += busyMs
        this.#filesDone += committed
        this.#filesFailed(failed)
        for (const chunk of chunks) this.#count(chunk)
      },
      settled: () => this.#finishWhenDone(),
      failed: (error) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    })
    this.#window = new GrowingWindow({
      most: request.windowGrowth ?? 0,
      nowMs: deps.nowMs,
      srttUs: () => deps.channel.stats().udp?.srttUs ?? 0,
    })
    this.#earlier = new EarlierRun(this.#manifest, { isResumed: false, files: [] })
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
    const isBody = object === BODY_OBJECT && !this.#isOver
    if (!isBody) this.#deps.channel.consumed(bytes.length)
    try {
      if (isBody) this.#arriving.take(offset, bytes)
      else if (object === MESSAGE_OBJECT && !this.#isOver) {
        for (const message of this.#incoming.take(offset, bytes)) this.#enqueue(message)
      }
    } catch (error) {
      this.#fail(asTransferError(error, 'MESSAGE_INVALID'))
    }
  }

  // ---- writing

  /** Verify, write, tell. */
  #write(arrived: ArrivingChunk, hashes: Uint8Array): void {
    const { chunk, block } = arrived
    this.#waitingBytes += chunk.length
    this.#deps.target.write({ block, spans: this.#spansOf(chunk, hashes) }).then(
      (written) => {
        this.#waitingBytes -= chunk.length
        this.#busyMs += written.busyMs
        for (const index of written.mismatched) this.#fileFailed(chunk.pieces[index]?.file ?? 0, 'HASH_MISMATCH', true)
        this.#filesFailed(written.failed)
        this.#settle(arrived, written.uncommitted)
      },
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  /** A void leaf marks a piece that the source could not give: its bytes are none of the file's. */
  #spansOf(chunk: Chunk, hashes: Uint8Array): TargetSpan[] {
    return chunk.pieces.map(({ file, fileOffset, length }, index) => {
      const { path, size, mtimeMs, mode } = this.#manifest.entry(file)
      const leaf = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
      if (isVoid(leaf)) this.#fileFailed(file, 'SOURCE_UNREADABLE', false)
      return { file, fileOffset, length, path, size, mtimeMs, mode, leaf }
    })
  }

  #settle(arrived: ArrivingChunk, uncommitted: number): void {
    const { chunk } = arrived
    this.#written.add(chunk.index)
    this.#arriving.release(arrived)
    this.#consumed(arrived.given)
    // A leaf of a large file is in the journal and counts; small files count once they are in their place.
    if (this.#manifest.isLeaf(chunk)) this.#count(chunk)
    else this.#commits.add(chunk)
    this.#commits.commitSoon(uncommitted)
    this.#finishWhenDone()
  }

  #consumed(bytes: number): void {
    const told = this.#window.consumed(bytes, this.#waitingBytes)
    if (told > 0) this.#deps.channel.consumed(told)
  }

  #count(chunk: Chunk): void {
    this.#bytesDone += chunk.length
    this.#confirmations.add(chunk.index)
  }

  #sayRanges(type: 'done' | 'have' | 'compare' | 'want', ranges: readonly ChunkRange[]): void {
    for (let at = 0; at < ranges.length; at += MESSAGE_RANGES)
      this.#say({ type, ranges: ranges.slice(at, at + MESSAGE_RANGES) })
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
        this.#manifest.complete(message)
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
    const hash = treeHashById(message.hashId).name
    await this.#request.onOpen?.(this.taskId)
    if (this.#isOver) return // While it waited for another connection of the task, a third one took its place.
    // From here on the files are to be closed, even when the end comes before they are all open.
    this.#isTargetOpen = true
    const opened = await this.#deps.target.open({ taskId: message.taskId, hash })
    this.#earlier = new EarlierRun(this.#manifest, opened)
    this.#say({ type: 'accept', isResumed: opened.isResumed })
  }

  #onManifest(entries: readonly ManifestEntry[]): void {
    const start = this.#manifest.add(entries)
    if (this.#earlier.isResumed) this.#takeOver(start)
    this.#makeEmpty(entries, start.firstFile)
    this.#arriving.takeEarly()
  }

  /** What an earlier run brought of a new batch counts as done. */
  #takeOver({ batch, firstChunk }: BatchStart): void {
    const kept = this.#earlier.keptChunks(firstChunk)
    for (const chunk of kept) {
      this.#keep(chunk)
      this.#filesDone += this.#earlier.filesDone(chunk)
    }
    const others = this.#earlier.otherVersions(firstChunk, (chunk) => this.#written.has(chunk))
    for (const { index } of others) this.#compared.add(index)
    this.#sayRanges('have', toRanges(kept.map(({ index }) => index)))
    this.#sayRanges('compare', toRanges(others.map(({ index }) => index)))
    this.#say({ type: 'ready', batch })
  }

  #keep(chunk: Chunk): void {
    this.#written.add(chunk.index)
    this.#bytesDone += chunk.length
    this.#keptBytes += chunk.length
  }

  async #compare(chunk: Chunk, hashes: Uint8Array): Promise<void> {
    const [span] = this.#spansOf(chunk, hashes)
    if (span === undefined) return
    const range: ChunkRange = [chunk.index, chunk.index + 1]
    const { isSame, failed, uncommitted } = await this.#deps.target.adopt(span)
    this.#filesFailed(failed)
    if (!isSame) {
      this.#arriving.addLeaves(chunk.index, hashes)
      return this.#sayRanges('want', [range])
    }
    this.#keep(chunk)
    this.#consumed(this.#arriving.drop(chunk.index))
    this.#sayRanges('have', [range])
    this.#commits.commitSoon(uncommitted)
    this.#finishWhenDone()
  }

  #makeEmpty(batch: readonly ManifestEntry[], firstFile: number): void {
    const entries = batch.flatMap(({ kind, path, size, mtimeMs, mode }, index) =>
      size === 0 ? [{ file: firstFile + index, kind, path, mtimeMs, mode }] : [],
    )
    if (entries.length === 0) return
    this.#pendingEmpty++
    this.#deps.target.makeEmpty(entries).then(
      (made) => {
        this.#pendingEmpty--
        this.#filesDone += made.folders
        this.#filesFailed(made.failed)
        this.#commits.commitSoon(made.uncommitted)
        this.#finishWhenDone()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  #onLeaves(index: number, hashes: Uint8Array): void | Promise<void> {
    const { layout } = this.#manifest
    if (index >= layout.chunks) throw new TransferError('MESSAGE_INVALID', { reason: 'chunk beyond the end' })
    if (this.#written.has(index)) return
    const chunk = layout.chunk(index)
    if (hashes.length !== chunk.pieces.length * HASH_BYTES) {
      throw new TransferError('MESSAGE_INVALID', { reason: 'wrong count of leaves' })
    }
    if (this.#compared.delete(index)) return this.#compare(chunk, hashes)
    this.#arriving.addLeaves(index, hashes)
  }

  #filesFailed(faults: readonly FileFault[]): void {
    for (const { file, code } of faults) this.#fileFailed(file, code, true)
  }

  #fileFailed(file: number, code: string, tell: boolean): void {
    if (this.#failures.has(file)) return
    const failure = { path: this.#manifest.entry(file).path, code }
    this.#failures.set(file, failure)
    this.#deps.events?.fileFailed?.(failure)
    if (tell) this.#say({ type: 'failed', file, code })
  }

  // ---- the end

  #finishWhenDone(): void {
    if (!this.#manifest.isComplete || this.#isFinishing || this.#isOver) return
    if (this.#written.size < this.#manifest.layout.chunks) return
    if (this.#pendingEmpty > 0 || this.#commits.isCommitting) return
    if (!this.#commits.isEmpty) return this.#commits.commit()
    this.#isFinishing = true
    this.#confirmations.flush()
    // With failures the journal stays: a second run brings only what is missing.
    const reason = this.#failures.size === 0 ? 'complete' : 'interrupted'
    this.#closeTarget(reason).then(
      () => this.#farewell(),
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  #farewell(): void {
    this.#say({ type: 'complete', files: this.#manifest.files - this.#failures.size, failed: this.#failures.size })
    setTimeout(() => this.#deps.channel.close(0, 'done'), FAREWELL_MS).unref()
  }

  closed(close: { code: number; reason: string; by: 'peer' | 'self' | 'network' }): void {
    if (!this.#isFinishing) return this.#fail(new TransferError('PEER_LOST', { reason: close.reason, by: close.by }))
    this.#report()
    this.#stop()
    this.#outcome.resolve({
      files: this.#manifest.files - this.#failures.size,
      bytes: this.#manifest.layout.bytes,
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
    this.#closeTarget('interrupted').catch(() => undefined)
    setTimeout(() => this.#deps.channel.close(4, error.code), 200).unref()
  }

  #closeTarget(reason: CloseReason): Promise<void> {
    this.#closing ??= this.#isTargetOpen ? this.#deps.target.close(reason) : Promise.resolve()
    return this.#closing
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#confirmations.stop()
    this.#commits.stop()
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
    const { layout } = this.#manifest
    const progress: TransferProgress = {
      state: this.#stateName(),
      files: this.#manifest.files,
      filesDone: this.#filesDone,
      bytes: layout.bytes,
      bytesDone: this.#bytesDone,
      bytesMoved: this.#arriving.usedBytes,
      bytesPerSecond: this.#reporter.speed(this.#bytesDone - this.#keptBytes),
      secondsLeft: this.#manifest.isComplete ? this.#reporter.secondsLeft(layout.bytes - this.#bytesDone) : undefined,
      bottleneck: undefined,
      path: channel.path,
    }
    events?.progress?.(progress)
  }

  #stateName(): TransferProgress['state'] {
    if (this.#isPaused) return 'paused'
    if (this.#isFinishing) return 'finishing'
    return this.#manifest.isComplete ? 'running' : 'listing'
  }
}
