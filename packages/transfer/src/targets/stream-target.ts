import { LEAF_BYTES, leafCount } from '@godwit/base'
import { type TreeHash, treeHash } from '../hashes/tree-hash.ts'
import type {
  EmptyEntry,
  EmptyMade,
  FileFault,
  FilesCommitted,
  SpanAdopted,
  SpansWritten,
  Target,
  TargetFile,
  TargetSpan,
  TargetState,
  TargetTask,
  WriteSpans,
} from './target.ts'

const NOTHING_STORED = { isResumed: false, isEmpty: true, files: [] } as const

/**
 * A stream as a target: takes one file and writes it in order, each verified leaf after the one before. Output
 * cannot be undone, so only a sender that reconnects with the same file can continue. Not for `targetSuite`: nothing
 * can be read back.
 */
export class StreamTarget implements Target {
  readonly keeps = { permissions: false, links: false, holes: false }
  readonly #write: (bytes: Uint8Array) => Promise<void>
  #hash: TreeHash = treeHash('blake3')
  #file: TargetFile | undefined
  /** Leaves before this one are written. */
  #nextLeaf = 0
  /** Resolves when the leaf before is written. By leaf, for those that came too early. */
  #turns = new Map<number, PromiseWithResolvers<boolean>>()
  #isComplete = false

  /** @param write settles when the stream has taken the bytes */
  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  async open(task: TargetTask): Promise<TargetState> {
    this.#hash = treeHash(task.hash)
    this.#dropTurns()
    const file = this.#file
    if (file === undefined) return NOTHING_STORED
    // The last leaf comes again, and with it the end of the file.
    const count = Math.min(this.#nextLeaf, leafCount(file.size) - 1)
    const leaves = Array.from({ length: count }, (_value, leaf) => leaf)
    const { path, size, mtimeMs } = file
    return { isResumed: true, isEmpty: true, files: [{ path, size, mtimeMs, isCommitted: false, leaves }] }
  }

  async write({ block, spans }: WriteSpans): Promise<SpansWritten> {
    const mismatched: number[] = []
    const failed: FileFault[] = []
    for (const [index, span] of spans.entries()) {
      const bytes = block.subarray(span.blockOffset, span.blockOffset + span.length)
      if (!this.#takes(span)) failed.push({ file: span.file, code: 'TARGET_UNWRITABLE' })
      else if (Buffer.compare(this.#hash.leaf(bytes), span.leaf) !== 0) mismatched.push(index)
      else await this.#writeInTurn(span, bytes)
    }
    return { mismatched, failed, uncommitted: this.#isComplete ? 1 : 0, busyMs: 0 }
  }

  /** The first file, and no other one. */
  #takes({ file, path, size, mtimeMs, mode }: TargetFile): boolean {
    this.#file ??= { file, path, size, mtimeMs, mode }
    return this.#file.path === path && this.#file.size === size && this.#file.mtimeMs === mtimeMs
  }

  async #writeInTurn(span: TargetSpan, bytes: Uint8Array): Promise<void> {
    const leaf = span.fileOffset / LEAF_BYTES
    if (leaf > this.#nextLeaf) {
      const turn = Promise.withResolvers<boolean>()
      this.#turns.set(leaf, turn)
      if (!(await turn.promise)) return
    }
    if (leaf === this.#nextLeaf) {
      await this.#write(bytes)
      this.#nextLeaf++
    }
    if (this.#nextLeaf === leafCount(span.size)) this.#isComplete = true
    this.#turns.get(this.#nextLeaf)?.resolve(true)
    this.#turns.delete(this.#nextLeaf)
  }

  /** A new connection brings them again. */
  #dropTurns(): void {
    for (const turn of this.#turns.values()) turn.resolve(false)
    this.#turns.clear()
  }

  async makeEmpty(entries: readonly EmptyEntry[]): Promise<EmptyMade> {
    const failed: FileFault[] = []
    let folders = 0
    for (const entry of entries) {
      if (entry.kind === 'directory') folders++
      else if (entry.kind === 'file' && this.#takes({ ...entry, size: 0 })) this.#isComplete = true
      else failed.push({ file: entry.file, code: 'TARGET_UNWRITABLE' })
    }
    return { folders, failed, uncommitted: this.#isComplete ? 1 : 0 }
  }

  async commit(): Promise<FilesCommitted> {
    const committed = this.#isComplete ? 1 : 0
    this.#isComplete = false
    return { committed, failed: [], busyMs: 0 }
  }

  async close(): Promise<void> {
    this.#dropTurns()
  }

  async look(paths: readonly string[]): Promise<undefined[]> {
    return paths.map(() => undefined)
  }

  async matches(spans: readonly TargetSpan[]): Promise<boolean[]> {
    return spans.map(() => false)
  }

  async freeBytes(): Promise<undefined> {
    return undefined
  }

  async adopt(): Promise<SpanAdopted> {
    return { isSame: false, failed: [], uncommitted: 0 }
  }

  async setAttributes(): Promise<void> {}
}
