import { TransferError } from '../errors/transfer-error.ts'
import { decodeMessage, encodeMessage, MAX_MESSAGE_BYTES, type Message } from './messages.ts'

/** The object that carries messages, in each direction. Lower than the body's, so messages go first. */
export const MESSAGE_OBJECT = 0
const LENGTH_BYTES = 4
/** Messages that arrived out of order and wait for what is before them, in bytes. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** Messages as an append-only byte space, kept for retransmission until the peer has them. */
export class OutgoingMessages {
  /** Parts with their first byte, ascending; dropped from the front as the peer takes them. */
  #parts: Array<{ start: number; bytes: Uint8Array }> = []
  #end = 0
  #acked = 0
  readonly #ackedAhead = new Map<number, number>()

  /** The peer has all of them. */
  get isHeard(): boolean {
    return this.#acked === this.#end
  }

  /** @returns the range to queue at the channel */
  append(message: Message): readonly [number, number] {
    const body = encodeMessage(message)
    const bytes = new Uint8Array(LENGTH_BYTES + body.length)
    new DataView(bytes.buffer).setUint32(0, body.length)
    bytes.set(body, LENGTH_BYTES)
    const start = this.#end
    this.#parts.push({ start, bytes })
    this.#end += bytes.length
    return [start, this.#end]
  }

  read(offset: number, length: number, target: { bytes: Uint8Array; at: number }): boolean {
    let index = this.#indexOf(offset)
    let copied = 0
    while (copied < length) {
      const part = this.#parts[index++]
      if (part === undefined) throw new Error('a message byte was asked for that does not exist')
      const from = offset + copied - part.start
      const piece = part.bytes.subarray(from, from + length - copied)
      target.bytes.set(piece, target.at + copied)
      copied += piece.length
    }
    return true
  }

  acked(start: number, end: number): void {
    if (end <= this.#acked) return
    this.#ackedAhead.set(start, Math.max(end, this.#ackedAhead.get(start) ?? 0))
    for (;;) {
      const next = [...this.#ackedAhead].find(([from]) => from <= this.#acked)
      if (next === undefined) break
      this.#ackedAhead.delete(next[0])
      this.#acked = Math.max(this.#acked, next[1])
    }
    const kept = this.#parts.findIndex((part) => part.start + part.bytes.length > this.#acked)
    if (kept > 64 || kept === -1) this.#parts = kept === -1 ? [] : this.#parts.slice(kept)
  }

  #indexOf(offset: number): number {
    let low = 0
    let high = this.#parts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const part = this.#parts[middle]
      if (part !== undefined && part.start + part.bytes.length <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Puts message bytes back in order and cuts them. */
export class IncomingMessages {
  readonly #waiting = new Map<number, Uint8Array>()
  #waitingBytes = 0
  #at = 0
  #partial: Uint8Array[] = []

  /**
   * @param bytes borrowed
   * @returns the messages that are complete now, in order
   * @throws TransferError MESSAGE_INVALID and those of `decodeMessage`
   */
  take(offset: number, bytes: Uint8Array): Message[] {
    if (offset + bytes.length <= this.#at) return []
    // A copy: slice() of a Buffer would share its memory.
    this.#keep(offset, new Uint8Array(bytes))
    let grown = false
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#partial.push(next)
      grown = true
    }
    return grown ? this.#cut() : []
  }

  #keep(offset: number, bytes: Uint8Array): void {
    const known = this.#waiting.get(offset)
    if (known !== undefined && known.length >= bytes.length) return
    this.#waitingBytes += bytes.length - (known?.length ?? 0)
    if (this.#waitingBytes > MAX_WAITING_BYTES) throw new TransferError('LIMIT_EXCEEDED', { what: 'waiting messages' })
    this.#waiting.set(offset, bytes)
  }

  /** The part that continues what is there; parts may overlap when a channel carried bytes twice. */
  #next(): Uint8Array | undefined {
    const exact = this.#waiting.get(this.#at)
    if (exact !== undefined) return this.#advance(this.#at, exact)
    for (const [offset, bytes] of this.#waiting) {
      if (offset < this.#at) return this.#advance(offset, bytes)
    }
    return undefined
  }

  #advance(offset: number, bytes: Uint8Array): Uint8Array {
    this.#waiting.delete(offset)
    this.#waitingBytes -= bytes.length
    const fresh = bytes.subarray(Math.min(bytes.length, this.#at - offset))
    this.#at += fresh.length
    return fresh
  }

  #cut(): Message[] {
    const messages: Message[] = []
    let bytes = this.#partial.length === 1 ? (this.#partial[0] ?? new Uint8Array(0)) : Buffer.concat(this.#partial)
    while (bytes.length >= LENGTH_BYTES) {
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
      if (length > MAX_MESSAGE_BYTES) throw new TransferError('MESSAGE_INVALID', { reason: 'message too long' })
      if (bytes.length < LENGTH_BYTES + length) break
      messages.push(decodeMessage(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)))
      bytes = bytes.subarray(LENGTH_BYTES + length)
    }
    this.#partial = bytes.length === 0 ? [] : [bytes]
    return messages
  }
}
