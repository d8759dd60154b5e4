import { KIND_FILE, KIND_FOLDER } from '../object-store.ts'
import type { DiskEntry, DiskPage } from './disk.ts'

/** Layout of `struct linux_dirent64`: inode (8), offset (8), length of the record (2), type (1), name and a final zero. */
const OFFSET_AT = 8
const LENGTH_AT = 16
const TYPE_AT = 18
const NAME_AT = 19
const TYPE = { unknown: 0, folder: 4, file: 8 } as const
const SMALLEST_RECORD = 24

const DOT = 0x2e
/** 1 for the bytes of plain names: printable ASCII without / and \. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte <= 0x7e && byte !== 0x2f && byte !== 0x5c),
)

export interface Batch {
  readonly plain: DiskPage['plain']
  readonly entries: DiskEntry[]
  /** Names whose type the filesystem does not keep in the folder. */
  readonly unknown: string[]
}

/**
 * @param batch `struct linux_dirent64` of Linux, one behind the other
 * @param plain room for its plain names, used again for the next batch
 */
export function takenApart(batch: Uint8Array, plain: PlainNames): Batch {
  const entries: DiskEntry[] = []
  const unknown: string[] = []
  const utf8 = Buffer.from(batch.buffer, batch.byteOffset, batch.length)
  for (let at = 0; at < batch.length;) {
    const type = batch[at + TYPE_AT]
    const next = at + lengthOf(batch, at)
    const kind = type === TYPE.file ? 'file' : type === TYPE.folder ? 'folder' : 'other'
    const isTaken = kind !== 'other' && plain.take(batch, at + NAME_AT, kind === 'file' ? KIND_FILE : KIND_FOLDER)
    const name = isTaken ? '' : utf8.toString('utf8', at + NAME_AT, batch.indexOf(0, at + NAME_AT))
    at = next
    // The folder itself and the one above are in every folder.
    if (isTaken || name === '.' || name === '..') continue
    if (type === TYPE.unknown) unknown.push(name)
    else entries.push({ name, kind })
  }
  return { plain: plain.taken(), entries, unknown }
}

/** Place of the first entry behind a batch: the upper half of its offset, which is what stands in the last record. */
export function placeBehind(batch: Uint8Array): number {
  let last = 0
  for (let at = 0; at < batch.length; at += lengthOf(batch, at)) last = at
  return placeAfter(batch, last)
}

/**
 * The records of a batch that stand before a place.
 * @param later the first records at or behind that place. The first record of the batch may be one of them: what the batch
 *   before it named as the next one may have been removed since. Of all others the record before them tells the place
 */
export function before(place: number, batch: Uint8Array, later: Uint8Array): Uint8Array {
  let at = lengthOf(batch, 0)
  for (let last = 0; at < batch.length && placeAfter(batch, last) < place; at += lengthOf(batch, at)) last = at
  const isDoubtful = at === lengthOf(batch, 0)
  return batch.subarray(0, isDoubtful && holds(later, nameAt(batch, 0)) ? 0 : at)
}

function holds(batch: Uint8Array, name: Uint8Array): boolean {
  for (let at = 0; at < batch.length; at += lengthOf(batch, at)) {
    if (Buffer.compare(nameAt(batch, at), name) === 0) return true
  }
  return false
}

function nameAt(batch: Uint8Array, at: number): Uint8Array {
  return batch.subarray(at + NAME_AT, batch.indexOf(0, at + NAME_AT))
}

function lengthOf(batch: Uint8Array, at: number): number {
  return (batch[at + LENGTH_AT] ?? 0) + 256 * (batch[at + LENGTH_AT + 1] ?? 0)
}

/** A record holds where the next one stands. */
function placeAfter(batch: Uint8Array, at: number): number {
  const upper = at + OFFSET_AT + 4
  let place = 0
  for (let byte = upper + 3; byte >= upper; byte--) place = place * 256 + (batch[byte] ?? 0)
  return place
}

/** Room for the plain names of a batch, used again and again: memory that is new has a price of its own. */
export class PlainNames {
  readonly #bytes: Uint8Array
  readonly #ends: Uint32Array
  readonly #kinds: Uint8Array
  #end = 0
  #count = 0

  /** @param size of the largest batch, in bytes */
  constructor(size: number) {
    this.#bytes = new Uint8Array(size)
    this.#ends = new Uint32Array(Math.ceil(size / SMALLEST_RECORD))
    this.#kinds = new Uint8Array(this.#ends.length)
  }

  /** Takes the name that begins at `from` and ends with a zero. @returns false when it is not a plain one */
  take(batch: Uint8Array, from: number, kind: number): boolean {
    if (batch[from] === DOT) return false
    let end = this.#end
    let at = from
    for (; batch[at] !== 0; at++) {
      const byte = batch[at] ?? 0
      if (IS_PLAIN[byte] === 0) return false
      this.#bytes[end++] = byte
    }
    this.#end = end
    this.#kinds[this.#count] = kind
    this.#ends[this.#count++] = end
    return true
  }

  /** Hands out copies without the room that was left, and begins anew. */
  taken(): NonNullable<DiskPage['plain']> {
    const bytes = new Uint8Array(uncounted(this.#end))
    const ends = new Uint32Array(uncounted(this.#count * Uint32Array.BYTES_PER_ELEMENT))
    const kinds = new Uint8Array(uncounted(this.#count))
    bytes.set(this.#bytes.subarray(0, this.#end))
    ends.set(this.#ends.subarray(0, this.#count))
    kinds.set(this.#kinds.subarray(0, this.#count))
    this.#end = 0
    this.#count = 0
    return { names: { bytes, ends }, kinds }
  }
}

/**
 * Memory that V8 does not count against its limit. A million names take 16 MB, for a moment; counted, they start a collection
 * of the whole heap, 60 ms in the middle of the first page, which finds nothing.
 */
function uncounted(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}
