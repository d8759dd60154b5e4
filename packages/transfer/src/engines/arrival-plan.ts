import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES, type HashName } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import type { Chunk } from '../manifests/layout.ts'
import type { ExistingPolicy, Message, Verdict } from '../messages/messages.ts'
import type { Target, TargetSpan, TargetState, VisibleEntry } from '../targets/target.ts'
import { ContentChecks } from './content-checks.ts'
import { EarlierRun } from './earlier-run.ts'
import { isLeft, verdictOn } from './existing-files.policy.ts'
import type { BatchStart, IncomingManifest } from './incoming-manifest.ts'
import { NumberSet, rangeGroups } from './number-set.ts'

export interface ArrivalRequest {
  readonly existing: (path: string) => ExistingPolicy
  readonly isChecksum: boolean
  readonly isDryRun: boolean
  readonly hash: HashName
}

export interface ArrivalEvents {
  sendMessage(message: Message): void
  /** The file is not wanted. */
  left(file: number, verdict: Verdict): void
  /** No byte of the chunk is needed. */
  kept(chunk: Chunk): void
  /** The chunk is wanted after all; these are its hashes. */
  wanted(chunk: number, hashes: Uint8Array): void
  isWritten(chunk: number): boolean
}

export interface ArrivalDeps {
  readonly manifest: IncomingManifest
  readonly target: Target
  readonly events: ArrivalEvents
}

/**
 * Decides which parts of a list to request: nothing that an earlier run received, and nothing that the policy leaves as it is.
 * Everything else is requested, some of it only after its hashes have been compared.
 */
export class ArrivalPlan {
  readonly #deps: ArrivalDeps
  readonly #request: ArrivalRequest
  readonly #state: TargetState
  readonly #earlier: EarlierRun
  readonly #checks: ContentChecks
  /** Leaves that may be the same as in another version of their file; the sender was asked to send their hashes. */
  readonly #compared = new Set<number>()
  /** Files that are left as they are. */
  readonly left = new NumberSet()

  constructor(deps: ArrivalDeps, request: ArrivalRequest, state: TargetState) {
    this.#deps = deps
    this.#request = request
    this.#state = state
    this.#earlier = new EarlierRun(deps.manifest, state)
    this.#checks = new ContentChecks(deps.manifest)
  }

  /** Nothing is to be written. */
  get isDryRun(): boolean {
    return this.#request.isDryRun
  }

  /** The sender is to wait for the answer to each batch. */
  get isAnswering(): boolean {
    return this.#state.isResumed || !this.#state.isEmpty || this.#request.isDryRun
  }

  /** Looks up a batch, takes it into the list and answers it. @throws TransferError of `IncomingManifest.add` */
  async addBatch(entries: readonly ManifestEntry[]): Promise<BatchStart> {
    // Looked up first: as soon as the batch is in the list, bytes that came early are written.
    const existing = this.#state.isEmpty ? [] : await this.#lookAll(entries)
    const start = this.#deps.manifest.add(entries)
    this.#judge(start, entries, existing)
    if (this.isAnswering) this.#answer(start)
    return start
  }

  async #lookAll(entries: readonly ManifestEntry[]): Promise<ReadonlyArray<VisibleEntry | undefined>> {
    const found = await this.#deps.target.look(
      entries.filter(({ kind }) => kind !== 'directory').map(({ path }) => path),
    )
    let next = 0
    return entries.map(({ kind }) => (kind === 'directory' ? undefined : found[next++]))
  }

  #judge(
    { firstFile }: BatchStart,
    entries: readonly ManifestEntry[],
    existing: ReadonlyArray<VisibleEntry | undefined>,
  ): void {
    const files = new Map<Verdict, number[]>()
    entries.forEach((entry, index) => {
      if (entry.kind === 'directory') return
      const found = existing[index]
      if (this.#isToCheck(entry, found)) return this.#checks.add(firstFile + index, found)
      const verdict = verdictOn(this.#request.existing(entry.path), entry, found)
      const numbers = files.get(verdict)
      if (numbers === undefined) files.set(verdict, [firstFile + index])
      else numbers.push(firstFile + index)
    })
    for (const [verdict, numbers] of files) this.#announce(verdict, numbers)
  }

  #isToCheck(entry: ManifestEntry, found: VisibleEntry | undefined): found is VisibleEntry {
    const { isChecksum } = this.#request
    return isChecksum && entry.kind === 'file' && entry.size > 0 && found?.kind === 'file' && found.size === entry.size
  }

  #announce(verdict: Verdict, files: readonly number[]): void {
    if (isLeft(verdict) || this.#request.isDryRun) {
      for (const ranges of rangeGroups(files))
        this.#deps.events.sendMessage({ type: 'verdict', verdict, files: ranges })
    }
    if (!isLeft(verdict)) return
    for (const file of files) {
      this.left.add(file)
      this.#deps.events.left(file, verdict)
    }
  }

  #answer({ batch, firstChunk }: BatchStart): void {
    const { events, manifest } = this.#deps
    if (!this.#request.isDryRun) {
      const kept: number[] = []
      const compared: number[] = []
      for (let index = firstChunk; index < manifest.layout.chunks; index++) {
        const chunk = manifest.layout.chunk(index)
        if (chunk.pieces.every((piece) => this.left.has(piece.file) || this.#earlier.isKept(piece))) {
          kept.push(index)
          this.#keep(chunk)
        } else if (this.#isToCompare(chunk)) compared.push(index)
      }
      for (const index of compared) this.#compared.add(index)
      this.#sendRanges('have', kept)
      this.#sendRanges('compare', compared)
    }
    events.sendMessage({ type: 'ready', batch })
  }

  #isToCompare(chunk: Chunk): boolean {
    if (this.#deps.events.isWritten(chunk.index)) return false
    return this.#checks.concerns(chunk) || (this.#deps.manifest.isLeaf(chunk) && this.#earlier.hasOtherVersion(chunk))
  }

  #sendRanges(type: 'have' | 'compare' | 'want', chunks: readonly number[]): void {
    for (const ranges of rangeGroups(chunks)) this.#deps.events.sendMessage({ type, ranges })
  }

  #keep(chunk: Chunk): void {
    if (!this.#deps.events.isWritten(chunk.index)) this.#deps.events.kept(chunk)
  }

  /** The hashes of a chunk are to be compared before its bytes are requested. Called once. */
  takeCompared(chunk: number): boolean {
    return this.#compared.delete(chunk)
  }

  /** Whether the hashes of a compared chunk are for the target's earlier version; otherwise for what is visible there. */
  isOtherVersion(chunk: Chunk): boolean {
    return !this.#checks.hasBegun(chunk)
  }

  /** Compares visible files with hashes of the sender. */
  async check(chunk: Chunk, spans: readonly TargetSpan[], hashes: Uint8Array): Promise<void> {
    const pending = spans.filter(({ file }) => this.#checks.has(file))
    const matches = await this.#deps.target.matches(pending, this.#request.hash)
    pending.forEach((span, index) => {
      if (matches[index] === true) this.#matched(span.file, chunk, hashes)
      else this.#differs(span.file)
    })
    this.#settle(chunk, hashes)
  }

  #matched(file: number, chunk: Chunk, hashes: Uint8Array): void {
    if (this.#checks.matched(file, chunk, hashes)) this.#resolve(file, 'same')
  }

  /** By content it is another file, so only its time counts. */
  #differs(file: number): void {
    const entry = this.#deps.manifest.entry(file)
    const existing = this.#checks.existing(file)
    const verdict = verdictOn(this.#request.existing(entry.path), entry, existing)
    this.#resolve(file, verdict === 'same' ? 'replaced' : verdict)
  }

  #resolve(file: number, verdict: Verdict): void {
    const matched = this.#checks.finish(file)
    this.#announce(verdict, [file])
    if (isLeft(verdict)) {
      const [first, end] = this.#deps.manifest.layout.chunksOf(file)
      if (end - first > 1) this.#leaveChunks(first, end)
    } else for (const { chunk, hashes } of matched) this.#want(chunk, hashes)
  }

  #leaveChunks(first: number, end: number): void {
    for (let index = first; index < end; index++) this.#keep(this.#deps.manifest.layout.chunk(index))
    this.#deps.events.sendMessage({ type: 'have', ranges: [[first, end]] })
  }

  /** The chunk is decided: it is kept, or its bytes are requested. */
  #settle(chunk: Chunk, hashes: Uint8Array): void {
    if (this.#deps.events.isWritten(chunk.index) || this.#checks.concerns(chunk)) return
    if (!chunk.pieces.every(({ file }) => this.left.has(file))) return this.#want(chunk, hashes)
    this.#keep(chunk)
    this.#sendRanges('have', [chunk.index])
  }

  #want({ index }: Chunk, hashes: Uint8Array): void {
    this.#deps.events.wanted(index, hashes)
    this.#sendRanges('want', [index])
  }

  /** A leaf of an earlier version was compared by the target. */
  adopted(chunk: Chunk, hashes: Uint8Array, isSame: boolean): void {
    if (!isSame) return this.#want(chunk, hashes)
    this.#keep(chunk)
    this.#sendRanges('have', [chunk.index])
  }

  /** Files in a kept chunk that an earlier run committed. */
  committedFiles(chunk: Chunk): number {
    return this.#earlier.filesDone(chunk, this.left)
  }
}

/** @throws TransferError MESSAGE_INVALID */
export function checkLeaves(chunk: Chunk, hashes: Uint8Array): void {
  if (hashes.length !== chunk.pieces.length * HASH_BYTES)
    throw new TransferError('MESSAGE_INVALID', { reason: 'wrong count of leaves' })
}
