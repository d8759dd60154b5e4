import { constants } from 'node:fs'
import { HASH_BYTES, treeHash } from '../hashes/tree-hash.ts'
import type { ReadSpans, SourceSpan, SpanFault, SpansRead } from '../sources/source.ts'
import type { DiskFs } from './disk-fs.ts'

/** Open files kept for the next chunk: a large file is read leaf by leaf. */
const MAX_OPEN = 8
/** What was a file when it was listed may be a pipe by now, which would hold the thread for ever, or a link to elsewhere. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Reads and hashes files on a disk. Synchronous: it runs in a thread of its own. */
export class SourceDisk {
  readonly #fs: DiskFs
  readonly #nowMs: () => number
  readonly #open = new Map<string, number>()

  constructor(fs: DiskFs, nowMs: () => number) {
    this.#fs = fs
    this.#nowMs = nowMs
  }

  read(request: ReadSpans): SpansRead {
    const startedAt = this.#nowMs()
    const hash = treeHash(request.hash)
    const leaves = new Uint8Array(request.spans.length * HASH_BYTES)
    const faults: Array<{ span: number; fault: SpanFault }> = []
    request.spans.forEach((span, index) => {
      const target = request.block.subarray(span.blockOffset, span.blockOffset + span.length)
      const fault = this.#readSpan(span, target)
      if (fault === undefined) leaves.set(hash.leaf(target), index * HASH_BYTES)
      else faults.push({ span: index, fault })
    })
    return { leaves, faults, busyMs: this.#nowMs() - startedAt }
  }

  close(): void {
    for (const file of this.#open.values()) this.#fs.closeSync(file)
    this.#open.clear()
  }

  #readSpan(span: SourceSpan, target: Uint8Array): SpanFault | undefined {
    try {
      const isWhole = span.length === span.size
      const file = isWhole ? this.#fs.openSync(span.ref, READ) : this.#openKept(span.ref)
      try {
        return this.#readOpen(file, span, target)
      } finally {
        if (isWhole) this.#fs.closeSync(file)
      }
    } catch {
      // Gone, not permitted or a disk error: to the transfer they are one thing, a file that cannot be read.
      return 'SOURCE_UNREADABLE'
    }
  }

  /** Looks at size and time after reading: a change during the read is seen too. */
  #readOpen(file: number, span: SourceSpan, target: Uint8Array): SpanFault | undefined {
    let filled = 0
    while (filled < span.length) {
      const count = this.#fs.readSync(file, target, filled, span.length - filled, span.fileOffset + filled)
      if (count === 0) return 'SOURCE_CHANGED'
      filled += count
    }
    const { size, mtimeMs } = this.#fs.fstatSync(file)
    return size === span.size && Math.trunc(mtimeMs) === span.mtimeMs ? undefined : 'SOURCE_CHANGED'
  }

  #openKept(path: string): number {
    const known = this.#open.get(path)
    if (known !== undefined) return known
    const [oldest] = this.#open
    if (oldest !== undefined && this.#open.size >= MAX_OPEN) {
      this.#open.delete(oldest[0])
      this.#fs.closeSync(oldest[1])
    }
    const file = this.#fs.openSync(path, READ)
    this.#open.set(path, file)
    return file
  }
}
