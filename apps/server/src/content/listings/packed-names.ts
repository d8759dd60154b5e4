import { nameKeyBytes, writeNameKey, type NameBytes } from '@godwit/base'
import { KIND_FILE, type PackedNames } from '@godwit/storage'

/** Rows of bytes behind each other in one buffer: a third of the memory of as many strings, and one object to collect. */
export class Rows {
  readonly bytes: Buffer
  /** Where each row ends and the next begins. */
  readonly ends: Uint32Array

  constructor(bytes: Buffer, ends: Uint32Array) {
    this.bytes = bytes
    this.ends = ends
  }

  get count(): number {
    return this.ends.length
  }

  /** Memory it holds, in bytes. */
  get size(): number {
    return this.bytes.length + this.ends.byteLength
  }

  start(row: number): number {
    return row === 0 ? 0 : (this.ends[row - 1] ?? 0)
  }

  end(row: number): number {
    return this.ends[row] ?? 0
  }

  isEmpty(row: number): boolean {
    return this.start(row) === this.end(row)
  }

  /** Order of the bytes of two rows; a beginning of the other stands first. */
  compare(left: number, right: number): number {
    const { bytes } = this
    const leftStart = this.start(left)
    const rightStart = this.start(right)
    const leftLength = this.end(left) - leftStart
    const rightLength = this.end(right) - rightStart
    const shared = Math.min(leftLength, rightLength)
    for (let at = 0; at < shared; at++) {
      const difference = (bytes[leftStart + at] ?? 0) - (bytes[rightStart + at] ?? 0)
      if (difference !== 0) return difference
    }
    return leftLength - rightLength
  }

  isSameAs(other: Rows): boolean {
    return this.bytes.equals(other.bytes) && bytesOf(this.ends).equals(bytesOf(other.ends))
  }
}

export function textAt(rows: Rows, row: number): string {
  return rows.bytes.toString('utf8', rows.start(row), rows.end(row))
}

export function bytesOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** The names of a folder as they were read, with their sort keys (empty for names without one). */
export interface RawNames {
  readonly names: Rows
  readonly kinds: Uint8Array
  readonly keys: Rows
}

const FIRST_BYTES = 65_536
const FIRST_ROWS = 4_096
const GROWTH = 1.5
/** Room is asked for by what a name may take at most. */
const SLACK_BYTES = 4_096

/** Takes names one by one, or many plain ones at once. */
export class NamePacker {
  readonly #names: Column
  readonly #keys: Column
  readonly #name: NameBytes = { bytes: new Uint8Array(), start: 0, end: 0 }
  #kinds: Uint8Array
  #count = 0

  /** @param expected how many names, and their bytes in UTF-8; what comes beyond costs a copy */
  constructor({ rows, bytes } = { rows: FIRST_ROWS, bytes: FIRST_BYTES }) {
    this.#names = new Column(rows, bytes)
    // A key has an end, and a length for each number.
    this.#keys = new Column(rows, bytes + 2 * rows)
    this.#kinds = new Uint8Array(rows)
  }

  get count(): number {
    return this.#count
  }

  add(name: string, kind: number): void {
    // UTF-8 takes at most three bytes a code unit.
    const names = this.#names.withRoom(3 * name.length)
    this.#close(names, this.#names.end + names.write(name, this.#names.end), kind)
  }

  addPlain({ bytes, ends }: PackedNames, kinds: Uint8Array): void {
    const names = this.#names.withRoom(bytes.length)
    const from = this.#names.end
    names.set(bytes, from)
    for (let at = 0; at < ends.length; at++) this.#close(names, from + (ends[at] ?? 0), kinds[at] ?? KIND_FILE)
  }

  /** The name that ends at `end` is in; its key and kind follow. */
  #close(names: Uint8Array, end: number, kind: number): void {
    this.#name.bytes = names
    this.#name.start = this.#names.end
    this.#name.end = end
    this.#names.close(end)
    const keys = this.#keys.withRoom(nameKeyBytes(end - this.#name.start))
    this.#keys.close(Math.max(this.#keys.end, writeNameKey(this.#name, keys, this.#keys.end)))
    if (this.#count === this.#kinds.length) {
      const larger = new Uint8Array(Math.ceil((this.#count + 1) * GROWTH))
      larger.set(this.#kinds)
      this.#kinds = larger
    }
    this.#kinds[this.#count++] = kind
  }

  /** What was taken so far. Borrowed: add nothing while it is in use. */
  pack(): RawNames {
    return { names: this.#names.rows(), kinds: this.#kinds.subarray(0, this.#count), keys: this.#keys.rows() }
  }
}

/** Rows in the making. */
class Column {
  /** Where the next row begins. */
  end = 0
  #bytes: Buffer
  #ends: Uint32Array
  #count = 0

  constructor(rows: number, bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes + SLACK_BYTES)
    this.#ends = new Uint32Array(rows)
  }

  /** The buffer, with so many bytes free behind `end`. */
  withRoom(byteCount: number): Buffer {
    if (this.end + byteCount > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.ceil((this.#bytes.length + byteCount) * GROWTH))
      this.#bytes.copy(larger, 0, 0, this.end)
      this.#bytes = larger
    }
    return this.#bytes
  }

  close(end: number): void {
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(Math.ceil((this.#count + 1) * GROWTH))
      larger.set(this.#ends)
      this.#ends = larger
    }
    this.#ends[this.#count++] = end
    this.end = end
  }

  rows(): Rows {
    return new Rows(this.#bytes.subarray(0, this.end), this.#ends.subarray(0, this.#count))
  }
}
