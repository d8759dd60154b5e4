import type { Chunk, Layout } from '../manifests/layout.ts'
import { type Block, BlockPool } from './block-pool.ts'

/**
 * Blocks kept for repairs; older ones are read again when a repair needs them. As many as a line of 1 Gbit/s and 200 ms that loses
 * 5 % has on its way until all of a block is there.
 */
const MAX_BLOCKS = 96

interface Loaded {
  readonly chunk: Chunk
  readonly block: Block
  /** Bytes of it that are sent. */
  readonly wanted: number
  acked: number
  /** The channel has requested some of it. */
  isTaken: boolean
}

/** Chunks in the sender's memory: read ahead of the network, and kept until they are acknowledged. */
export class LoadedChunks {
  readonly #layout: Layout
  readonly #reload: (chunk: Chunk) => void
  readonly #pool = new BlockPool()
  /** In the order of loading: the first is the oldest. */
  readonly #loaded = new Map<number, Loaded>()
  #last: Loaded | undefined
  #ackedChunk: Chunk | undefined
  #untaken = 0

  /** @param reload called whenever the channel requests a chunk that is not in memory */
  constructor(layout: Layout, reload: (chunk: Chunk) => void) {
    this.#layout = layout
    this.#reload = reload
  }

  /** Chunks that the channel has not requested yet. */
  get untaken(): number {
    return this.#untaken
  }

  /** A free block; when there are too many, the oldest chunk is dropped. */
  takeBlock(): Block {
    const [oldest] = this.#loaded
    if (oldest !== undefined && this.#loaded.size >= MAX_BLOCKS) this.release(oldest[0])
    return this.#pool.take()
  }

  releaseBlock(block: Block): void {
    this.#pool.release(block)
  }

  /** @param wanted bytes of it that are sent */
  keep(chunk: Chunk, block: Block, wanted: number): void {
    this.#loaded.set(chunk.index, { chunk, block, wanted, acked: 0, isTaken: false })
    this.#untaken++
  }

  release(index: number): void {
    const loaded = this.#loaded.get(index)
    if (loaded === undefined) return
    this.#loaded.delete(index)
    this.#take(loaded)
    if (this.#last === loaded) this.#last = undefined
    this.#pool.release(loaded.block)
  }

  /** @returns false when not all of it is in memory; it will be */
  read(offset: number, length: number, target: { bytes: Uint8Array; at: number }): boolean {
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
    if (last !== undefined && holds(last.chunk, position)) return last
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

  acked(start: number, end: number): void {
    let at = start
    while (at < end) {
      const chunk = this.#chunkAt(at)
      const stop = Math.min(end, chunk.start + chunk.length)
      const loaded = this.#loaded.get(chunk.index)
      // Counted twice after a change of path, a block goes too early: then it is read again, nothing worse.
      if (loaded !== undefined && (loaded.acked += stop - at) >= loaded.wanted) this.release(chunk.index)
      at = stop
    }
  }

  /** Acknowledgements mostly stay within one chunk. */
  #chunkAt(position: number): Chunk {
    const known = this.#ackedChunk
    if (known !== undefined && holds(known, position)) return known
    return (this.#ackedChunk = this.#layout.chunkAt(position))
  }
}

function holds(chunk: Chunk, position: number): boolean {
  return position >= chunk.start && position < chunk.start + chunk.length
}
