import type { Socket } from 'node:net'
import { MiB } from '@godwit/base'
import { SECTOR_BYTES, type BlockLender } from '@godwit/storage'
import type { RequestBytes } from '../../../kernel/endpoint.ts'
import type { BodyMemory } from '../body-memory.ts'
import { LINGER_MS, type DroppedBodies } from '../dropped-bodies.ts'
import { takeArrived } from './socket-bytes.ts'

/** One block is filled, one waits for its turn, one is written. */
const BLOCKS = 3
/** Whoever does not fill a block in this time, 10 MB/s, is handed on chunk by chunk and keeps no block from others ... */
const BLOCK_MS = 100
/** ... for so many bytes. */
const PLAIN_BYTES = 4 * MiB

type Step = IteratorResult<Uint8Array>
const DONE: Step = { value: undefined, done: true }

export interface BodyOnSocket {
  readonly socket: Socket
  /** Announced bytes of the body. */
  readonly length: number
  readonly memory: BodyMemory
  readonly dropped: DroppedBodies
  /** Told once, when all bytes have arrived, with those that came behind them: the next request's. */
  readonly onWhole: (surplus: Buffer) => void
}

/**
 * The body of a request, read from its connection without a parser in between. What the stream brings is the signal that there
 * is something; all that has arrived beside it is then read straight into a block of the store that will write it. It is one
 * piece because all of it moves between three things: what the stream gives, what the blocks hold, and who waits.
 */
export class SocketBody implements RequestBytes {
  readonly #on: BodyOnSocket
  #head: Buffer | undefined
  readonly #chunks: Uint8Array[] = []
  /** Bytes in #chunks. */
  #bytes = 0
  /** Bytes that have not arrived. */
  #left: number
  /** Bytes handed on, or lying in #chunks. */
  #position = 0
  #waiting: { readonly resolve: (step: Step) => void; readonly reject: (reason: Error) => void } | undefined
  #state: 'unread' | 'reading' | 'leaving' | 'ended' = 'unread'
  #failure: Error | undefined
  #giveBackShare = (): void => {}
  #lender: BlockLender | undefined
  readonly #lent = new Set<Uint8Array>()
  #block: Uint8Array | undefined
  #filled = 0
  #plainBytes = 0
  #timer: NodeJS.Timeout | undefined
  #lingering: NodeJS.Timeout | undefined

  /** @param head the first bytes behind the headers, read together with them */
  constructor(on: BodyOnSocket, head: Buffer) {
    this.#on = on
    this.#head = head
    this.#left = on.length
    // From now on, since nobody else listens: a fault without a listener ends the process.
    on.socket.on('error', this.#onCut).on('end', this.#onCut).on('close', this.#onCut)
  }

  fillFrom(lender: BlockLender): void {
    if (this.#state === 'unread') this.#lender = lender
  }

  next(): Promise<Step> {
    if (this.#state === 'unread') this.#read()
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) {
      this.#bytes -= chunk.length
      this.#balance()
      return Promise.resolve({ value: chunk, done: false })
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#state !== 'reading') return Promise.resolve(DONE)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#watchBlock()
    })
  }

  return(): Promise<Step> {
    this.#leave()
    return Promise.resolve(DONE)
  }

  close(): void {
    this.#leave()
    for (const block of this.#lent) this.#lender?.release(block)
    if (this.#left > 0 && !this.#on.socket.destroyed) {
      this.#lingering = setTimeout(() => this.#left === 0 || this.#on.socket.destroy(), LINGER_MS).unref()
    }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #read(): void {
    this.#state = 'reading'
    this.#giveBackShare = this.#on.memory.enter()
    this.#listen()
  }

  #listen(): void {
    const { socket } = this.#on
    const head = this.#head ?? Buffer.alloc(0)
    this.#head = undefined
    if (head.length > 0) this.#onData(head)
    if (this.#left === 0) return
    socket.on('data', this.#onData)
    this.#balance()
    if (socket.destroyed) this.#onCut()
  }

  /** What still comes is thrown away. */
  #leave(): void {
    if (this.#state === 'ended' || this.#state === 'leaving') return
    const wasUnread = this.#state === 'unread'
    this.#state = 'leaving'
    this.#chunks.length = 0
    this.#block = undefined
    this.#filled = 0
    this.#stopWatching()
    this.#giveBackShare()
    this.#waiting?.resolve(DONE)
    this.#waiting = undefined
    if (wasUnread) this.#listen()
    else this.#balance()
  }

  readonly #onData = (arrived: Buffer): void => {
    const mine = arrived.subarray(0, this.#left)
    this.#left -= mine.length
    if (this.#state === 'reading') {
      this.#keep(mine)
      this.#takeMore()
    }
    if (this.#left === 0) this.#end(arrived.subarray(mine.length))
    else if (this.#state === 'leaving') this.#on.dropped.pace(this.#on.socket, mine.length)
    else this.#balance()
  }

  /** Into blocks as far as there are any; the rest is handed on in the memory it came in. */
  #keep(bytes: Buffer): void {
    let rest = bytes
    // One block more than usual: between two blocks, a chunk of another size would end their alignment.
    while (rest.length > 0 && this.#hasBlock(BLOCKS + 1)) {
      const count = Math.min(rest.length, this.#roomInBlock())
      this.#block?.set(rest.subarray(0, count), this.#filled)
      this.#advance(count)
      rest = rest.subarray(count)
    }
    if (rest.length === 0) return
    this.#plainBytes = Math.max(0, this.#plainBytes - rest.length)
    this.#hand(rest)
  }

  #takeMore(): void {
    const { socket } = this.#on
    // Bytes that the stream holds come before those that are still in the kernel.
    while (this.#left > 0 && socket.readableLength === 0 && this.#hasBlock(BLOCKS) && this.#block !== undefined) {
      const room = Math.min(this.#roomInBlock(), this.#left)
      const count = takeArrived(socket, this.#block.subarray(this.#filled, this.#filled + room))
      this.#left -= count
      this.#advance(count)
      if (count < room) return
    }
  }

  /** @param most blocks that may be out */
  #hasBlock(most: number): boolean {
    if (this.#block !== undefined) return true
    if (this.#lender === undefined || this.#plainBytes > 0 || this.#lent.size >= most) return false
    const block = this.#lender.borrow(() => {
      if (block !== undefined) this.#lent.delete(block)
      this.#balance()
    })
    if (block !== undefined) this.#lent.add(block)
    this.#block = block
    return block !== undefined
  }

  /** The first block after chunks of other sizes is shorter, so that the next one begins on a sector again. */
  #roomInBlock(): number {
    return (this.#block?.length ?? 0) - (this.#position % SECTOR_BYTES) - this.#filled
  }

  #advance(count: number): void {
    this.#filled += count
    if (this.#roomInBlock() === 0) this.#handBlock()
    else this.#watchBlock()
  }

  #handBlock(): void {
    const chunk = this.#block?.subarray(0, this.#filled)
    this.#stopWatching()
    this.#block = undefined
    this.#filled = 0
    if (chunk !== undefined) this.#hand(chunk)
  }

  #hand(chunk: Uint8Array): void {
    this.#position += chunk.length
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = undefined
      waiting.resolve({ value: chunk, done: false })
      return
    }
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  /** A block that somebody waits for shall not wait for a slow sender. */
  #watchBlock(): void {
    if (this.#timer !== undefined || this.#waiting === undefined || this.#filled === 0) return
    this.#timer = setTimeout(this.#onSlow, BLOCK_MS).unref()
  }

  #stopWatching(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  readonly #onSlow = (): void => {
    this.#timer = undefined
    const block = this.#block
    if (this.#waiting === undefined || block === undefined || this.#filled === 0) return
    // A copy: the block goes to somebody who fills it.
    const chunk = Buffer.from(block.subarray(0, this.#filled))
    this.#plainBytes = PLAIN_BYTES
    this.#block = undefined
    this.#filled = 0
    this.#lender?.release(block)
    this.#hand(chunk)
  }

  /** Slows the sender down while as much waits as may. */
  #balance(): void {
    const { socket, memory } = this.#on
    if (this.#left === 0 || this.#state === 'ended') return
    if (this.#state === 'reading' && (this.#bytes >= memory.shareBytes || this.#lacksBlock())) socket.pause()
    else if (this.#state !== 'unread') socket.resume()
  }

  #lacksBlock(): boolean {
    return this.#lent.size > 0 && this.#plainBytes === 0 && !this.#hasBlock(BLOCKS)
  }

  #end(surplus: Buffer): void {
    if (this.#filled > 0) this.#handBlock()
    else if (this.#block !== undefined) this.#lender?.release(this.#block)
    this.#block = undefined
    this.#detach()
    this.#waiting?.resolve(DONE)
    this.#waiting = undefined
    this.#on.onWhole(surplus)
  }

  /** Without all bytes before it, the sender went away. */
  readonly #onCut = (): void => {
    if (this.#state === 'ended') return
    this.#failure = new Error('the request was cut')
    // What came until now can still become durable.
    if (this.#state === 'reading' && this.#filled > 0) this.#handBlock()
    this.#detach()
    this.#waiting?.reject(this.#failure)
    this.#waiting = undefined
  }

  #detach(): void {
    this.#state = 'ended'
    this.#stopWatching()
    clearTimeout(this.#lingering)
    this.#giveBackShare()
    const { socket } = this.#on
    socket.off('data', this.#onData).off('error', this.#onCut).off('end', this.#onCut).off('close', this.#onCut)
    socket.pause()
  }
}
