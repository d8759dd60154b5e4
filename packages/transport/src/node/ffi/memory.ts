import koffi from 'koffi'

/**
 * A block of memory that native code may use: it never moves and lives as long as this object does.
 * `address` is a plain number (user space ends below 2^47), so native calls need no wrapping of views.
 */
export interface NativeMemory {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  readonly view: DataView
  readonly address: number
}

export function nativeMemory(length: number): NativeMemory {
  const bytes = new Uint8Array(new SharedArrayBuffer(length))
  return { bytes, view: new DataView(bytes.buffer), address: addressOf(bytes) }
}

/** Where the first byte of a view lies. The caller keeps the view alive while native code uses the address. */
export function addressOf(bytes: Uint8Array): number {
  return Number(koffi.address(bytes))
}

/** Finds the address of a buffer once and remembers it while the same buffer comes again. */
export class AddressCache {
  readonly #known = new WeakMap<ArrayBufferLike, number>()
  #lastBuffer: ArrayBufferLike | undefined
  #lastAddress = 0

  of(bytes: Uint8Array): number {
    const buffer = bytes.buffer
    if (buffer !== this.#lastBuffer) {
      this.#lastAddress = this.#known.get(buffer) ?? addressOf(new Uint8Array(buffer))
      this.#known.set(buffer, this.#lastAddress)
      this.#lastBuffer = buffer
    }
    return this.#lastAddress + bytes.byteOffset
  }
}
