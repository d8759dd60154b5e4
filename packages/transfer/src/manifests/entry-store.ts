import { WireReader, WireWriter } from '../messages/wire.ts'
import type { ManifestEntry } from './entry.ts'
import { readBatch, writeBatch } from './manifest.codec.ts'

/** Batches kept as objects. What arrives and what is written lie near each other, so few are needed. */
const MAX_OPENED = 16

interface Batch {
  readonly first: number
  readonly bytes: Uint8Array
}

/** The entries of a transfer by number. Those not in use lie encoded: 20 to 40 bytes for each instead of 250. */
export class EntryStore {
  readonly #batches: Batch[] = []
  /** By position in `#batches`; the first was opened first. */
  readonly #opened = new Map<number, readonly ManifestEntry[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  addBatch(entries: readonly ManifestEntry[]): void {
    if (entries.length === 0) return
    const out = new WireWriter()
    writeBatch(out, entries)
    this.#keep(this.#batches.length, entries)
    this.#batches.push({ first: this.#length, bytes: out.finish() })
    this.#length += entries.length
  }

  /** Undefined for a number that no entry has. */
  get(file: number): ManifestEntry | undefined {
    if (file < 0 || file >= this.#length) return undefined
    const index = this.#batchOf(file)
    return this.#open(index)[file - (this.#batches[index]?.first ?? 0)]
  }

  #open(index: number): readonly ManifestEntry[] {
    const known = this.#opened.get(index)
    if (known !== undefined) return known
    const entries = readBatch(new WireReader(this.#batches[index]?.bytes ?? new Uint8Array(1)))
    this.#keep(index, entries)
    return entries
  }

  #keep(index: number, entries: readonly ManifestEntry[]): void {
    const [oldest] = this.#opened.keys()
    if (oldest !== undefined && this.#opened.size >= MAX_OPENED) this.#opened.delete(oldest)
    this.#opened.set(index, entries)
  }

  /** The last batch that begins at or before `file`. */
  #batchOf(file: number): number {
    let low = 0
    let high = this.#batches.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#batches[middle]?.first ?? 0) <= file) low = middle
      else high = middle - 1
    }
    return low
  }
}
