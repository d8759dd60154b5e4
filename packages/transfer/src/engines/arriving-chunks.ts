import { RangeSet } from '@godwit/base'
import { TransferError } from '../errors/transfer-error.ts'
import type { Chunk, Layout } from '../manifests/layout.ts'
import { type Block, BlockPool } from './block-pool.ts'

/**
 * Chunks that may be started and not complete. Each takes a block, so a peer that scatters single bytes over a long file would
 * take a mebibyte for each; an honest one has far fewer holes under way.
 */
const MAX_OPEN_CHUNKS = 16_384
/** Bytes that may arrive before the manifest that defines their place. */
const MAX_EARLY_BYTES = 64 * 1024 * 1024

/** A chunk of which bytes are there. */
export interface ArrivingChunk {
  readonly chunk: Chunk
  readonly block: Block
  /** Bytes from the channel, repeated ones included, which must be reported as consumed. */
  readonly given: number
}

interface OpenChunk extends ArrivingChunk {
  readonly have: RangeSet
  received: number
  given: number
  isComplete: boolean
}

export interface ArrivingEvents {
  /** Parts of a chunk [from, end), relative to its start, that are not sent. */
  left(chunk: Chunk): ReadonlyArray<readonly [number, number]>
  /** With the target: no byte of it is wanted again. */
  isWritten(chunk: number): boolean
  /** All bytes and all leaves of a chunk are there. Its block is lent until `release`. */
  complete(arrived: ArrivingChunk, hashes: Uint8Array): void
  /** Bytes from the channel that are not needed. */
  superfluous(bytes: number): void
}

/** Assembles bytes that arrive in any order, each chunk in a block of its own. */
export class ArrivingChunks {
  readonly #layout: Layout
  readonly #events: ArrivingEvents
  readonly #pool = new BlockPool()
  readonly #open = new Map<number, OpenChunk>()
  readonly #leaves = new Map<number, Uint8Array>()
  #current: OpenChunk | undefined
  #early: Array<{ offset: number; bytes: Uint8Array }> = []
  #earlyBytes = 0
  #usedBytes = 0

  constructor(layout: Layout, events: ArrivingEvents) {
    this.#layout = layout
    this.#events = events
  }

  /** Bytes that went into a block, repeated ones included. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** @throws TransferError LIMIT_EXCEEDED */
  take(offset: number, bytes: Uint8Array): void {
    let done = 0
    while (done < bytes.length) {
      const at = offset + done
      if (at >= this.#layout.bytes) return this.#keepEarly(at, bytes.subarray(done))
      const target = this.#openAt(at)
      const end = target.chunk.start + target.chunk.length
      const piece = bytes.subarray(done, Math.min(bytes.length, done + end - at))
      this.#put(target, at, piece)
      done += piece.length
    }
  }

  #openAt(position: number): OpenChunk {
    const current = this.#current
    if (
      current !== undefined &&
      position >= current.chunk.start &&
      position < current.chunk.start + current.chunk.length
    ) {
      return current
    }
    const chunk = this.#layout.chunkAt(position)
    const opened = this.#open.get(chunk.index) ?? this.#begin(chunk)
    this.#current = opened
    return opened
  }

  #begin(chunk: Chunk): OpenChunk {
    if (this.#open.size >= MAX_OPEN_CHUNKS) throw new TransferError('LIMIT_EXCEEDED', { what: 'chunks begun' })
    const begun = { chunk, block: this.#pool.take(), have: new RangeSet(), received: 0, given: 0, isComplete: false }
    for (const [from, end] of this.#events.left(chunk)) {
      begun.have.add(from, end)
      begun.received += end - from
    }
    this.#open.set(chunk.index, begun)
    return begun
  }

  #put(target: OpenChunk, position: number, bytes: Uint8Array): void {
    const { chunk } = target
    if (target.isComplete) return this.#events.superfluous(bytes.length)
    if (this.#events.isWritten(chunk.index)) {
      this.#drop(target)
      return this.#events.superfluous(bytes.length)
    }
    this.#usedBytes += bytes.length
    const from = position - chunk.start
    target.block.set(bytes, from)
    target.given += bytes.length
    target.have.add(from, from + bytes.length)
    target.received += bytes.length
    this.#completeWhenWhole(target)
  }

  #completeWhenWhole(target: OpenChunk): void {
    const { chunk } = target
    // Only a full count can mean a full chunk; repeated bytes make the count alone too large.
    if (target.isComplete || target.received < chunk.length || !target.have.has(0, chunk.length)) return
    const hashes = this.#leaves.get(chunk.index)
    if (hashes === undefined) return
    target.isComplete = true
    this.#leaves.delete(chunk.index)
    this.#events.complete(target, hashes)
  }

  addLeaves(chunk: number, hashes: Uint8Array): void {
    this.#leaves.set(chunk, hashes)
    const target = this.#open.get(chunk)
    if (target !== undefined) this.#completeWhenWhole(target)
  }

  /** The block of a complete chunk may be used again. */
  release({ chunk }: ArrivingChunk): void {
    this.drop(chunk.index)
  }

  /** Forgets what has arrived of a chunk. @returns bytes the channel gave for it */
  drop(chunk: number): number {
    const target = this.#open.get(chunk)
    if (target === undefined) return 0
    this.#drop(target)
    return target.given
  }

  #drop(target: OpenChunk): void {
    this.#open.delete(target.chunk.index)
    if (this.#current === target) this.#current = undefined
    this.#pool.release(target.block)
  }

  #keepEarly(offset: number, bytes: Uint8Array): void {
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > MAX_EARLY_BYTES) throw new TransferError('LIMIT_EXCEEDED', { what: 'bytes before the list' })
    this.#early.push({ offset, bytes: new Uint8Array(bytes) })
  }

  /** The list has grown: what came before it may have its place now. */
  takeEarly(): void {
    const early = this.#early
    this.#early = []
    this.#earlyBytes = 0
    for (const { offset, bytes } of early) this.take(offset, bytes)
  }
}
