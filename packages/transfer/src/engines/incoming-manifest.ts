import { TransferError } from '../errors/transfer-error.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import { EntryStore } from '../manifests/entry-store.ts'
import { type Chunk, Layout } from '../manifests/layout.ts'
import { PathClashes } from '../manifests/paths.ts'

/** Entries a peer may announce. */
const MAX_ENTRIES = 10_000_000

/** Where a batch of entries begins. */
export interface BatchStart {
  readonly batch: number
  readonly firstFile: number
  readonly firstChunk: number
}

/** The list of files as the sender announces it, batch by batch. Entries that must not be created here are refused. */
export class IncomingManifest {
  readonly layout = new Layout()
  readonly #entries = new EntryStore()
  readonly #folders: number[] = []
  readonly #clashes = new PathClashes()
  #batches = 0
  #isComplete = false

  get files(): number {
    return this.#entries.length
  }

  /** Numbers of the folders. */
  get folders(): readonly number[] {
    return this.#folders
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  /** @throws TransferError LIMIT_EXCEEDED, PATH_REFUSED */
  add(entries: readonly ManifestEntry[]): BatchStart {
    if (this.files + entries.length > MAX_ENTRIES) throw new TransferError('LIMIT_EXCEEDED', { what: 'entries' })
    const start = { batch: this.#batches, firstFile: this.files, firstChunk: this.layout.chunks }
    for (const entry of entries) {
      const clash = this.#clashes.add(entry.path, entry.kind)
      if (clash !== undefined) throw new TransferError('PATH_REFUSED', { fault: 'clash' })
    }
    for (const [index, { kind }] of entries.entries()) {
      if (kind === 'directory') this.#folders.push(this.files + index)
    }
    this.#entries.addBatch(entries)
    this.layout.addBatch(entries.map(({ size }) => size))
    this.#batches++
    return start
  }

  /** @throws TransferError MANIFEST_INVALID when the sums of the sender are not those of its batches */
  complete(sums: { readonly files: number; readonly bytes: number }): void {
    if (sums.files !== this.files || sums.bytes !== this.layout.bytes) {
      throw new TransferError('MANIFEST_INVALID', { reason: 'sums differ' })
    }
    this.#isComplete = true
  }

  /** @throws TransferError MESSAGE_INVALID for a number that no file has */
  entry(file: number): ManifestEntry {
    const entry = this.#entries.get(file)
    if (entry === undefined) throw new TransferError('MESSAGE_INVALID', { reason: 'unknown file', file })
    return entry
  }

  /** A leaf of a large file. Otherwise the chunk holds small ones. */
  isLeaf({ pieces: [first] }: Chunk): boolean {
    return first !== undefined && first.length < this.entry(first.file).size
  }
}
