import { KIND_FILE, KIND_FOLDER } from '../object-store.ts'
import type { DiskEntry, DiskPage } from './disk.ts'

/** Layout of `struct linux_dirent64`: inode (8), offset (8), length of the record (2), type (1), name and a final zero. */
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

/** @param batch records of `struct linux_dirent64` of Linux, one after the other; it may be overwritten afterwards */
export function parseBatch(batch: Uint8Array): Batch {
  const plain = new PlainNames(batch.length)
  const entries: DiskEntry[] = []
  const unknown: string[] = []
  const utf8 = Buffer.from(batch.buffer, batch.byteOffset, batch.length)
  for (let at = 0; at < batch.length;) {
    const type = batch[at + TYPE_AT]
    const next = at + (batch[at + LENGTH_AT] ?? 0) + 256 * (batch[at + LENGTH_AT + 1] ?? 0)
    const kind = type === TYPE.file ? 'file' : type === TYPE.folder ? 'folder' : 'other'
    const isTaken = kind !== 'other' && plain.take(batch, at + NAME_AT, kind === 'file' ? KIND_FILE : KIND_FOLDER)
    const name = isTaken ? '' : utf8.toString('utf8', at + NAME_AT, batch.indexOf(0, at + NAME_AT))
    at = next
    // The folder itself and its parent are in every folder.
    if (isTaken || name === '.' || name === '..') continue
    if (type === TYPE.unknown) unknown.push(name)
    else entries.push({ name, kind })
  }
  return { plain: plain.packed(), entries, unknown }
}

/** The plain names of a batch, packed. */
class PlainNames {
  readonly #bytes: Uint8Array
  readonly #ends: Uint32Array
  readonly #kinds: Uint8Array
  #end = 0
  #count = 0

  /** @param size of the batch, in bytes */
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

  /** Copies without the unused space. */
  packed(): NonNullable<DiskPage['plain']> {
    const ends = this.#ends.slice(0, this.#count)
    return { names: { bytes: this.#bytes.slice(0, this.#end), ends }, kinds: this.#kinds.slice(0, this.#count) }
  }
}
