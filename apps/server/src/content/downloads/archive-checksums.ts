import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { MiB, Semaphore, type Clock } from '@godwit/base'
import type { ObjectReader } from '@godwit/storage'
import type { Db } from '../../kernel/db/index.ts'
import { openPlanned, type PlannedEntry } from './archive-plan.ts'
import { archivesStore } from './archives.store.ts'
import type { ArchiveChecksumsTable } from './archives.schema.ts'
import { combineCrc32 } from './crc32-combine.ts'

/** A checksum is written down after so many bytes, so that whoever goes on there has no more than that to be read again. */
export const CHECKPOINT_BYTES = 256 * MiB
/** Contents that are looked up at once. */
const LOOKED_UP = 500
/** Contents that are read only for their checksum at the same time, all readers together. */
const READ_AT_ONCE = 2

const NEW = 0
const KNOWN = 1
const LOOKED_UP_IN_VAIN = 2

export interface ChecksumDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly lanes: Semaphore
}

export function checksumLanes(): Semaphore {
  return new Semaphore(READ_AT_ONCE)
}

/** Checksum of the first `upTo` bytes of a content. */
interface Prefix {
  readonly upTo: number
  readonly crc: number
}

/**
 * Checksums of the entries of one archive while a part of it is sent: of what passed, of what others sent before, and in the end
 * of what has to be read for it.
 */
export class ArchiveChecksums {
  readonly #deps: ChecksumDeps
  readonly #entries: readonly PlannedEntry[]
  readonly #signal: AbortSignal
  readonly #known: Uint32Array
  /** Of each entry one of the states below. */
  readonly #states: Uint8Array
  /** Of entries whose beginning was not sent here: what passed of their end. */
  readonly #tails = new Map<number, { readonly from: number; readonly crc: number }>()
  #unwritten: ArchiveChecksumsTable[] = []

  constructor(deps: ChecksumDeps, entries: readonly PlannedEntry[], signal: AbortSignal) {
    this.#deps = deps
    this.#entries = entries
    this.#signal = signal
    this.#known = new Uint32Array(entries.length)
    this.#states = new Uint8Array(entries.length)
  }

  /** What was noted since it was written down. */
  get unwritten(): number {
    return this.#unwritten.length
  }

  /** Checksum of an entry; what nobody knows yet is read. */
  readonly of = (index: number): number | Promise<number> => {
    const entry = this.#entry(index)
    if (entry.size === 0) return 0
    if (entry.text !== undefined) return crc32(entry.text)
    return this.#states[index] === KNOWN ? (this.#known[index] ?? 0) : this.#find(index)
  }

  /** Checksum of what is before a place in an entry; undefined when too much would have to be read for it now. */
  async before(index: number, at: number): Promise<number | undefined> {
    if (at === 0) return 0
    const from = await this.#longest(index, at)
    return at - from.upTo > CHECKPOINT_BYTES ? undefined : this.#read(index, from, at)
  }

  /** Notes the checksum of a beginning of an entry. */
  note(index: number, { upTo, crc }: Prefix): void {
    const entry = this.#entry(index)
    if (entry.text !== undefined || upTo === 0) return
    const row = { content: contentOf(entry), up_to: upTo, checksum: crc, made_at: this.#deps.clock.now() }
    this.#unwritten.push(row)
    if (upTo === entry.size) this.#know(index, crc)
  }

  /** Notes the checksum of an entry from a place to its end. */
  noteTail(index: number, from: number, crc: number): void {
    this.#tails.set(index, { from, crc })
  }

  /** Writes down what was noted, for whoever goes on later. */
  async write(): Promise<void> {
    const rows = this.#unwritten
    this.#unwritten = []
    await archivesStore.addChecksums(this.#deps.db, rows)
  }

  async #find(index: number): Promise<number> {
    await this.#lookUp(index)
    if (this.#states[index] === KNOWN) return this.#known[index] ?? 0
    const { size } = this.#entry(index)
    const tail = this.#tails.get(index)
    const upTo = tail?.from ?? size
    const beginning = await this.#read(index, await this.#longest(index, upTo), upTo)
    const crc = tail === undefined ? beginning : combineCrc32(beginning, tail.crc, size - upTo)
    this.note(index, { upTo: size, crc })
    return crc
  }

  /** Entries are asked for in their order: the next ones are looked up with this one. */
  async #lookUp(index: number): Promise<void> {
    if (this.#states[index] !== NEW) return
    const indexes = new Map<string, number[]>()
    for (let at = index; at < this.#entries.length && indexes.size < LOOKED_UP; at++) {
      if (this.#states[at] !== NEW) continue
      this.#states[at] = LOOKED_UP_IN_VAIN
      const entry = this.#entry(at)
      if (entry.location === undefined || entry.size === 0) continue
      const content = contentOf(entry)
      indexes.set(content, [...(indexes.get(content) ?? []), at])
    }
    for (const row of await archivesStore.checksumsOf(this.#deps.db, [...indexes.keys()])) {
      for (const one of indexes.get(row.content) ?? [])
        if (Number(row.up_to) === this.#entry(one).size) this.#know(one, Number(row.checksum))
    }
  }

  async #longest(index: number, atMost: number): Promise<Prefix> {
    const rows = await archivesStore.checksumsOf(this.#deps.db, [contentOf(this.#entry(index))])
    const row = rows.findLast((one) => Number(one.up_to) <= atMost)
    return { upTo: Number(row?.up_to ?? 0), crc: Number(row?.checksum ?? 0) }
  }

  /** Reads on from a known beginning. @returns checksum of the first `end` bytes */
  async #read(index: number, from: Prefix, end: number): Promise<number> {
    if (from.upTo === end) return from.crc
    const entry = this.#entry(index)
    return this.#deps.lanes.run(async () => {
      await using reader = await openPlanned(entry)
      let { upTo, crc } = from
      while (upTo < end) {
        const next = Math.min(end, upTo + CHECKPOINT_BYTES)
        crc = await crcOf(reader, { start: upTo, end: next, crc }, this.#signal)
        upTo = next
        this.note(index, { upTo, crc })
        // Whoever loses patience meanwhile finds it done the next time.
        if (next < end) await this.write()
      }
      return crc
    }, this.#signal)
  }

  #know(index: number, crc: number): void {
    this.#known[index] = crc
    this.#states[index] = KNOWN
  }

  #entry(index: number): PlannedEntry {
    const entry = this.#entries[index]
    if (entry === undefined) throw new Error('no such entry in the archive')
    return entry
  }
}

async function crcOf(
  reader: ObjectReader,
  { start, end, crc }: { readonly start: number; readonly end: number; readonly crc: number },
  signal: AbortSignal,
): Promise<number> {
  let sum = crc
  for await (const chunk of reader.stream({ start, end }, signal)) sum = crc32(chunk, sum)
  return sum
}

function contentOf({ location, etag, size }: PlannedEntry): string {
  return createHash('sha256').update([location?.key, etag, size].join('\n')).digest('base64url')
}
