import { constants } from 'node:fs'
import { HASH_BYTES, treeHash } from '../hashes/tree-hash.ts'
import type { ChunkRead, DiskFs, PieceFault, ReadChunk, SourcePiece } from './disk.types.ts'

/** Open files kept for the next chunk: a large file is read leaf by leaf. */
const MAX_OPEN = 8
/** What was a file when it was listed may be a pipe by now, which would hold the thread for ever, or a link to elsewhere. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Reads and hashes chunks at the sending side. Synchronous: it runs in a thread of its own. */
export class SourceDisk {
  readonly #fs: DiskFs
  readonly #nowMs: () => number
  readonly #open = new Map<string, number>()

  constructor(fs: DiskFs, nowMs: () => number) {
    this.#fs = fs
    this.#nowMs = nowMs
  }

  readChunk(request: ReadChunk): ChunkRead {
    const begun = this.#nowMs()
    const hash = treeHash(request.hash)
    const leaves = new Uint8Array(request.pieces.length * HASH_BYTES)
    const faults: Array<{ piece: number; fault: PieceFault }> = []
    let at = 0
    request.pieces.forEach((piece, index) => {
      const target = request.block.subarray(at, at + piece.length)
      const fault = this.#readPiece(piece, target)
      if (fault === undefined) leaves.set(hash.leaf(target), index * HASH_BYTES)
      else faults.push({ piece: index, fault })
      at += piece.length
    })
    return { leaves, faults, busyMs: this.#nowMs() - begun }
  }

  close(): void {
    for (const file of this.#open.values()) this.#fs.closeSync(file)
    this.#open.clear()
  }

  #readPiece(piece: SourcePiece, target: Uint8Array): PieceFault | undefined {
    try {
      const isWhole = piece.length === piece.size
      const file = isWhole ? this.#fs.openSync(piece.path, READ) : this.#openKept(piece.path)
      try {
        return this.#readOpen(file, piece, target)
      } finally {
        if (isWhole) this.#fs.closeSync(file)
      }
    } catch {
      // Gone, not permitted or a disk error: to the transfer they are one thing, a file that cannot be read.
      return 'SOURCE_UNREADABLE'
    }
  }

  /** Looks at size and time after reading: a change during the read is seen too. */
  #readOpen(file: number, piece: SourcePiece, target: Uint8Array): PieceFault | undefined {
    let filled = 0
    while (filled < piece.length) {
      const count = this.#fs.readSync(file, target, filled, piece.length - filled, piece.fileOffset + filled)
      if (count === 0) return 'SOURCE_CHANGED'
      filled += count
    }
    const { size, mtimeMs } = this.#fs.fstatSync(file)
    return size === piece.size && Math.trunc(mtimeMs) === piece.mtimeMs ? undefined : 'SOURCE_CHANGED'
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
