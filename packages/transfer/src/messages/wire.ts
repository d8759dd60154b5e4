import { TransferError } from '../errors/transfer-error.ts'

/** Appends fields to a growing buffer. Integers are LEB128, at most 2^53 - 1. */
export class WireWriter {
  #bytes: Uint8Array
  #length = 0

  /** @param bytes expected; it grows beyond */
  constructor(bytes = 256) {
    this.#bytes = new Uint8Array(bytes)
  }

  byte(value: number): this {
    this.#reserve(1)[this.#length++] = value
    return this
  }

  integer(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a wire integer: ${value}`)
    const target = this.#reserve(8)
    let rest = value
    while (rest >= 128) {
      target[this.#length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    target[this.#length++] = rest
    return this
  }

  /** Length, then the bytes. */
  bytes(value: Uint8Array): this {
    this.integer(value.length)
    return this.raw(value)
  }

  raw(value: Uint8Array): this {
    this.#reserve(value.length).set(value, this.#length)
    this.#length += value.length
    return this
  }

  text(value: string): this {
    if (!value.isWellFormed()) throw new RangeError('text with a lone surrogate')
    return this.bytes(encoder.encode(value))
  }

  get length(): number {
    return this.#length
  }

  /** A view of what was written so far; more writing may move it. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.written.slice()
  }

  #reserve(more: number): Uint8Array {
    if (this.#length + more > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    return this.#bytes
  }
}

/** Reads what a peer wrote. Every fault is a TransferError MESSAGE_INVALID; no length is trusted before it is checked. */
export class WireReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    const value = this.#bytes[this.#at]
    if (value === undefined) throw invalid('ends early')
    this.#at++
    return value
  }

  /** @param max the largest value that makes sense here; a larger one is refused */
  integer(max: number = Number.MAX_SAFE_INTEGER): number {
    let value = 0
    let scale = 1
    for (let count = 0; count < 8; count++) {
      const next = this.byte()
      value += (next & 127) * scale
      if (value > max) throw invalid('number too large')
      if (next < 128) {
        // One value has one spelling, so that two parsers cannot disagree about a message.
        if (next === 0 && count > 0) throw invalid('number with padding')
        return value
      }
      scale *= 128
    }
    throw invalid('number too long')
  }

  /** A view into the message, valid as long as the message is. */
  bytes(maxLength: number): Uint8Array {
    return this.raw(this.integer(maxLength))
  }

  raw(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw invalid('ends early')
    const view = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return view
  }

  text(maxBytes: number): string {
    const encoded = this.bytes(maxBytes)
    try {
      return decoder.decode(encoded)
    } catch (cause) {
      throw new TransferError('MESSAGE_INVALID', { reason: 'text is not UTF-8' }, { cause })
    }
  }

  get remaining(): number {
    return this.#bytes.length - this.#at
  }

  /** @throws TransferError when bytes are left over */
  end(): void {
    if (this.remaining !== 0) throw invalid('bytes left over')
  }
}

const encoder = new TextEncoder()
// ignoreBOM keeps a leading U+FEFF in the text instead of dropping it, so that a name survives unchanged.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function invalid(reason: string): TransferError {
  return new TransferError('MESSAGE_INVALID', { reason })
}
