import { LEAF_BYTES } from '@godwit/base'

/** Small files in one packed chunk, at most. Bounds the work that one chunk makes at the receiver. */
export const MAX_PACKED_FILES = 512

/** The part of one file that lies in a chunk. */
export interface Piece {
  readonly file: number
  readonly fileOffset: number
  readonly length: number
}

/**
 * A unit of reading, hashing, writing and flow control: one leaf of a large file, or many small files back to back.
 * `start` is its place in the virtual byte space in which all files of a transfer lie one after another.
 */
export interface Chunk {
  readonly index: number
  readonly start: number
  readonly length: number
  readonly pieces: readonly Piece[]
}

/** Consecutive leaves of one file, or one packed chunk. */
interface Run {
  readonly firstChunk: number
  readonly chunks: number
  readonly start: number
  readonly bytes: number
  readonly firstFile: number
  readonly files: number
}

/**
 * Turns a list of file sizes into chunks. Both sides build it from the same manifest and agree without a message.
 * A chunk of packed files ends when it is full or when the batch ends, so every batch can be sent before the next is known.
 */
export class Layout {
  readonly #sizes: number[] = []
  readonly #runs: Run[] = []
  /** First chunk and start of each file, for the way from a file to its chunks. */
  readonly #firstChunk: number[] = []
  #chunks = 0
  #bytes = 0

  get files(): number {
    return this.#sizes.length
  }
  get chunks(): number {
    return this.#chunks
  }
  get bytes(): number {
    return this.#bytes
  }

  /** Adds the sizes of one manifest batch, folders and empty files as 0. */
  addBatch(sizes: readonly number[]): void {
    let first = this.#sizes.length
    let packed = 0
    for (const size of sizes) {
      const large = size >= LEAF_BYTES
      const files = this.#sizes.length - first
      if (large || packed + size > LEAF_BYTES || files === MAX_PACKED_FILES) {
        this.#addPacked(first, packed)
        first = this.#sizes.length
        packed = 0
      }
      this.#sizes.push(size)
      this.#firstChunk.push(this.#chunks)
      if (large) {
        this.#addRun(first, 1, size, Math.ceil(size / LEAF_BYTES))
        first = this.#sizes.length
      } else packed += size
    }
    this.#addPacked(first, packed)
  }

  #addPacked(firstFile: number, bytes: number): void {
    if (bytes > 0) this.#addRun(firstFile, this.#sizes.length - firstFile, bytes, 1)
  }

  #addRun(firstFile: number, files: number, bytes: number, chunks: number): void {
    this.#runs.push({ firstChunk: this.#chunks, chunks, start: this.#bytes, bytes, firstFile, files })
    this.#chunks += chunks
    this.#bytes += bytes
  }

  chunk(index: number): Chunk {
    const run = this.#find((candidate) => candidate.firstChunk + candidate.chunks <= index)
    if (run === undefined || index < run.firstChunk) throw new RangeError(`no chunk ${index}`)
    return cut(run, index - run.firstChunk, this.#sizes)
  }

  /** The chunk that holds the byte at `position` of the virtual space. */
  chunkAt(position: number): Chunk {
    const run = this.#find((candidate) => candidate.start + candidate.bytes <= position)
    if (run === undefined || position < run.start) throw new RangeError(`no byte ${position}`)
    return cut(run, run.chunks === 1 ? 0 : Math.floor((position - run.start) / LEAF_BYTES), this.#sizes)
  }

  /** The chunks a file lies in, as [first, last + 1). An empty file lies in none. */
  chunksOf(file: number): readonly [number, number] {
    const size = this.#sizes[file]
    const first = this.#firstChunk[file]
    if (size === undefined || first === undefined) throw new RangeError(`no file ${file}`)
    return [first, first + Math.max(size === 0 ? 0 : 1, size >= LEAF_BYTES ? Math.ceil(size / LEAF_BYTES) : 0)]
  }

  /** The first run for which `isBefore` is false. Runs are sorted, so this is a binary search. */
  #find(isBefore: (run: Run) => boolean): Run | undefined {
    let low = 0
    let high = this.#runs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const run = this.#runs[middle]
      if (run !== undefined && isBefore(run)) low = middle + 1
      else high = middle
    }
    return this.#runs[low]
  }
}

function cut(run: Run, nth: number, sizes: readonly number[]): Chunk {
  const start = run.start + nth * LEAF_BYTES
  const index = run.firstChunk + nth
  if (run.files === 1) {
    const fileOffset = nth * LEAF_BYTES
    const length = Math.min(LEAF_BYTES, run.bytes - fileOffset)
    return { index, start, length, pieces: [{ file: run.firstFile, fileOffset, length }] }
  }
  const pieces: Piece[] = []
  for (let file = run.firstFile; file < run.firstFile + run.files; file++) {
    const length = sizes[file] ?? 0
    if (length > 0) pieces.push({ file, fileOffset: 0, length })
  }
  return { index, start, length: run.bytes, pieces }
}
