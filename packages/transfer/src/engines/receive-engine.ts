// One class past 250 lines: it joins list, bytes, target and confirmations, in the order in which a chunk passes.
import type { ByteSource } from '@godwit/transport/core'
import type { ChannelOwner, PathReport } from '@godwit/transport/node'
import { TransferError } from '../errors/transfer-error.ts'
import { type HashName, treeHashById } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import type { Chunk } from '../manifests/layout.ts'
import { IncomingMessages, MESSAGE_OBJECT, OutgoingMessages } from '../messages/message-log.ts'
import type { ExistingPolicy, Message } from '../messages/messages.ts'
import type { CloseReason, FileFault, TargetState } from '../targets/target.ts'
import { type ArrivalEvents, ArrivalPlan, type ArrivalRequest, checkLeaves } from './arrival-plan.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { BODY_OBJECT, type TransferProgress, type TransferResult } from './engine.types.ts'
import { closeOnceHeard } from './farewell.ts'
import { IncomingManifest } from './incoming-manifest.ts'
import { NumberSet } from './number-set.ts'
import { ReceiveTally } from './receive-tally.ts'
import type { ReceiveDeps, ReceiveRequest, ReceiveTask } from './receive.types.ts'
import { Reporter } from './reporter.ts'
import { SpaceCheck } from './space-check.ts'
import { asTransferError, reasonOf } from './transfer-faults.ts'

const REPORT_MS = 500
/** Folders that get their times with one call. */
const FOLDERS_AT_ONCE = 1024
/** After `complete` the sender has this long to close the connection before the receiver does. */
const FAREWELL_MS = 5000

/** A dry run opens no target. */
const UNTOUCHED: TargetState = { isResumed: false, isEmpty: false, files: [] }

/**
 * Receives files into a target and settles when all of them are in place and the sender has been notified.
 * @throws TransferError CANCELLED, PEER_LOST, PATH_REFUSED, MESSAGE_INVALID, TARGET_UNWRITABLE, DISK_FULL
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
  readonly #writer: ChunkWriter
  readonly #tally: ReceiveTally
  readonly #space: SpaceCheck
  readonly #reporter: Reporter
  readonly #timer: NodeJS.Timeout
  #messages: Promise<void> = Promise.resolve()
  /** Undefined until the sender has opened its task. */
  #plan: ArrivalPlan | undefined
  /** Before there is a plan nothing is left as it is. */
  readonly #nothing = new NumberSet()
  /** Files whose bytes are the same and whose time is not. */
  readonly #outdated: number[] = []
  #busyBefore = 0
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
    this.#tally = new ReceiveTally(this.#manifest, deps.events ?? {})
    this.#space = new SpaceCheck(deps.target)
    this.#writer = this.#makeWriter()
    this.#reporter = new Reporter(deps.nowMs, deps.cpu ?? (() => undefined))
    this.result = this.#outcome.promise
    this.#timer = setInterval(() => this.#report(), REPORT_MS)
    request.signal?.addEventListener('abort', () => this.cancel(), { once: true })
    deps.channel.start(this)
  }

  #makeWriter(): ChunkWriter {
    const { channel, target, nowMs } = this.#deps
    const { windowGrowth = () => 0 } = this.#request
    const [manifest, tally] = [this.#manifest, this.#tally]
    return new ChunkWriter(
      { channel, target, manifest, tally, nowMs, windowGrowth },
      {
        left: () => this.#left,
        filesFailed: (faults) => this.#filesFailed(faults),
        sourceFailed: (file) => this.#fileFailed(file, 'SOURCE_UNREADABLE', false),
        confirmed: (ranges) => this.#sendMessage({ type: 'done', ranges }),
        settled: () => this.#finishWhenDone(),
        failed: (error) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
      },
    )
  }

  get #left(): NumberSet {
    return this.#plan?.left ?? this.#nothing
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
      if (isBody) this.#writer.take(offset, bytes)
      else if (object === MESSAGE_OBJECT && !this.#isOver) {
        for (const message of this.#incoming.take(offset, bytes)) this.#enqueue(message)
      }
    } catch (error) {
      this.#fail(asTransferError(error, 'MESSAGE_INVALID'))
    }
  }

  // ---- messages of the sender

  /** One message after another: each may have to wait for the disk. */
  #enqueue(message: Message): void {
    this.#messages = this.#messages.then(async () => {
      if (!this.#isOver) await this.#onMessage(message)
    })
    this.#messages.catch((error: unknown) => this.#fail(asTransferError(error, 'MESSAGE_INVALID')))
  }

  async #onMessage(message: Message): Promise<void> {
    if (message.type === 'open') return this.#onOpen(message)
    const plan = this.#plan
    if (plan === undefined) throw new TransferError('MESSAGE_INVALID', { reason: 'no open' })
    switch (message.type) {
      case 'manifest':
        return this.#onManifest(plan, message.entries)
      case 'manifest-end':
        this.#manifest.complete(message)
        return this.#finishWhenDone()
      case 'leaves':
        return this.#onLeaves(plan, message.chunk, message.hashes)
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
      case 'verdict':
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
    const state = message.isDryRun ? UNTOUCHED : await this.#openTarget(message.taskId, hash)
    const existing = this.#request.existingOf ?? ((): ExistingPolicy => message.existing)
    this.#plan = this.#makePlan({ ...message, existing, hash }, state)
    this.#sendMessage({ type: 'accept', isAnswering: this.#plan.isAnswering, keeps: this.#deps.target.keeps })
  }

  #openTarget(taskId: Uint8Array, hash: HashName): Promise<TargetState> {
    // From here on the target is to be closed, even when the end comes before it is open.
    this.#isTargetOpen = true
    return this.#deps.target.open({ taskId, hash })
  }

  #makePlan(request: ArrivalRequest, state: TargetState): ArrivalPlan {
    const events: ArrivalEvents = {
      sendMessage: (message) => this.#sendMessage(message),
      isWritten: (chunk) => this.#writer.isWritten(chunk),
      left: (file, verdict) => {
        this.#tally.left(file, verdict, request.existing(this.#manifest.entry(file).path))
        if (verdict === 'same' && request.isChecksum && !request.isDryRun) this.#outdated.push(file)
      },
      kept: (chunk) => this.#keep(chunk),
      wanted: (chunk, hashes) => this.#writer.addLeaves(chunk, hashes),
    }
    return new ArrivalPlan({ manifest: this.#manifest, target: this.#deps.target, events }, request, state)
  }

  #keep(chunk: Chunk): void {
    this.#tally.kept(chunk, this.#left)
    this.#tally.filesDone += this.#plan?.committedFiles(chunk) ?? 0
    this.#writer.skip(chunk)
  }

  async #onManifest(plan: ArrivalPlan, entries: readonly ManifestEntry[]): Promise<void> {
    const { firstFile } = await plan.addBatch(entries)
    if (this.#isOver || plan.isDryRun) return
    this.#makeEmpty(entries, firstFile)
    this.#writer.takeEarly()
    await this.#space.require(this.#manifest.layout.bytes, this.#tally.bytesDone)
  }

  #makeEmpty(batch: readonly ManifestEntry[], firstFile: number): void {
    const entries = batch.flatMap((entry, index) => {
      const file = firstFile + index
      return entry.size === 0 && !this.#left.has(file) ? [{ ...entry, file }] : []
    })
    if (entries.length === 0) return
    this.#pendingEmpty++
    this.#deps.target.makeEmpty(entries).then(
      (made) => {
        this.#pendingEmpty--
        this.#tally.filesDone += made.folders
        this.#filesFailed(made.failed)
        this.#writer.commitSoon(made.uncommitted)
        this.#finishWhenDone()
      },
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  #onLeaves(plan: ArrivalPlan, index: number, hashes: Uint8Array): void | Promise<void> {
    const { layout } = this.#manifest
    if (index >= layout.chunks) throw new TransferError('MESSAGE_INVALID', { reason: 'chunk beyond the end' })
    if (this.#writer.isWritten(index)) return
    const chunk = layout.chunk(index)
    checkLeaves(chunk, hashes)
    if (plan.takeCompared(index)) return this.#compare(plan, chunk, hashes)
    this.#writer.addLeaves(index, hashes)
  }

  async #compare(plan: ArrivalPlan, chunk: Chunk, hashes: Uint8Array): Promise<void> {
    const spans = this.#writer.spansOf(chunk, hashes)
    const [span] = spans
    if (span === undefined || !plan.isOtherVersion(chunk)) await plan.check(chunk, spans, hashes)
    else {
      const { isSame, failed, uncommitted } = await this.#deps.target.adopt(span)
      this.#filesFailed(failed)
      plan.adopted(chunk, hashes, isSame)
      this.#writer.commitSoon(uncommitted)
    }
    this.#finishWhenDone()
  }

  /** Without space every further file would fail, so the first one ends the transfer; what has arrived is kept. */
  #filesFailed(faults: readonly FileFault[]): void {
    for (const { file, code } of faults) {
      this.#fileFailed(file, code, true)
      if (code === 'DISK_FULL') this.#fail(new TransferError('DISK_FULL', { reason: 'no space left while writing' }))
    }
  }

  #fileFailed(file: number, code: string, isAnnounced: boolean): void {
    if (this.#tally.fail(file, code) && isAnnounced) this.#sendMessage({ type: 'failed', file, code })
  }

  // ---- the end

  #finishWhenDone(): void {
    if (!this.#manifest.isComplete || this.#isFinishing || this.#isOver) return
    if (this.#plan?.isDryRun !== true && this.#writer.chunksWritten < this.#manifest.layout.chunks) return
    if (this.#pendingEmpty > 0 || !this.#writer.commitAll()) return
    this.#isFinishing = true
    this.#writer.confirmNow()
    this.#finish().then(
      () => this.#farewell(),
      (error: unknown) => this.#fail(asTransferError(error, 'TARGET_UNWRITABLE')),
    )
  }

  /** With failures the journal stays: a second run brings only what is missing. */
  async #finish(): Promise<void> {
    if (this.#isTargetOpen) {
      const entries = [...this.#manifest.folders, ...this.#outdated]
      for (let at = 0; at < entries.length; at += FOLDERS_AT_ONCE) {
        const some = entries.slice(at, at + FOLDERS_AT_ONCE).map((file) => this.#manifest.entry(file))
        await this.#deps.target.setAttributes(some)
      }
    }
    await this.#closeTarget(this.#tally.isComplete ? 'complete' : 'interrupted')
  }

  #farewell(): void {
    const failed = this.#tally.failures.size
    this.#sendMessage({ type: 'complete', files: this.#manifest.files - failed, failed })
    setTimeout(() => this.#deps.channel.close(0, 'done'), FAREWELL_MS).unref()
  }

  closed(close: { code: number; reason: string; by: 'peer' | 'self' | 'network' }): void {
    if (!this.#isFinishing) return this.#fail(new TransferError('PEER_LOST', { reason: close.reason, by: close.by }))
    this.#report()
    this.#stop()
    this.#outcome.resolve({
      files: this.#manifest.files - this.#tally.failures.size,
      bytes: this.#manifest.layout.bytes,
      keptBytes: this.#tally.keptBytes,
      verdicts: this.#tally.verdicts,
      failures: this.#tally.failures.all,
    })
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#sendMessage({ type: 'pause', isPaused })
  }

  cancel(): void {
    if (this.#isOver) return
    this.#fail(new TransferError('CANCELLED'))
  }

  async yieldTo(): Promise<void> {
    this.#fail(new TransferError('PEER_LOST', { reason: 'another connection goes on' }))
    // The result has reported why the target could not be closed; the next run trusts nothing that is not on disk.
    await this.#closing?.catch(() => undefined)
  }

  #fail(error: TransferError): void {
    if (this.#isOver) return
    if (error.code !== 'PEER_LOST') this.#sendMessage({ type: 'cancel', code: error.code, reason: reasonOf(error) })
    this.#stop()
    this.#outcome.reject(error)
    this.#closeTarget('interrupted').catch(() => undefined)
    closeOnceHeard(this.#deps.channel, this.#outgoing, error)
  }

  #closeTarget(reason: CloseReason): Promise<void> {
    this.#closing ??= this.#isTargetOpen ? this.#deps.target.close(reason) : Promise.resolve()
    return this.#closing
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#writer.stop()
  }

  #sendMessage(message: Message): void {
    if (this.#isOver) return
    const [start, end] = this.#outgoing.append(message)
    this.#deps.channel.send(MESSAGE_OBJECT, start, end)
  }

  #report(): void {
    if (this.#isOver || this.taskId === undefined) return
    const { channel, events } = this.#deps
    const { busyMs, waitingBytes, usedBytes } = this.#writer
    const diskPercent = Math.min(100, Math.round(((busyMs - this.#busyBefore) / REPORT_MS) * 100))
    this.#busyBefore = busyMs
    if (!this.#isFinishing) this.#sendMessage({ type: 'load', diskPercent, waitingBytes })
    const { bytes } = this.#manifest.layout
    const { filesDone, bytesDone, keptBytes } = this.#tally
    events?.progress?.({
      state: this.#stateName(),
      files: this.#manifest.files,
      filesDone,
      bytes,
      bytesDone,
      bytesMoved: usedBytes,
      bytesPerSecond: this.#reporter.speed(bytesDone - keptBytes),
      secondsLeft: this.#manifest.isComplete ? this.#reporter.secondsLeft(bytes - bytesDone) : undefined,
      bottleneck: undefined,
      path: channel.path,
    })
  }

  #stateName(): TransferProgress['state'] {
    if (this.#isPaused) return 'paused'
    if (this.#isFinishing) return 'finishing'
    return this.#manifest.isComplete ? 'running' : 'listing'
  }
}
