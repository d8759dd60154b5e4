import { LEAF_BYTES } from '@godwit/base'
import type { Chunk, Piece } from '../manifests/layout.ts'
import type { StoredFile, TargetState } from '../targets/target.ts'
import type { IncomingManifest } from './incoming-manifest.ts'
import type { NumberSet } from './number-set.ts'

/** What an earlier run of the task brought, compared with the list of this one. */
export class EarlierRun {
  readonly #manifest: IncomingManifest
  readonly #files: ReadonlyMap<string, StoredFile>
  readonly #leafSets = new Map<StoredFile, ReadonlySet<number>>()

  constructor(manifest: IncomingManifest, opened: TargetState) {
    this.#manifest = manifest
    this.#files = new Map(opened.files.map((file) => [file.path, file]))
  }

  /** Files in a kept chunk that are committed, apart from those that are left as they are. */
  filesDone({ pieces }: Chunk, left: NumberSet): number {
    return pieces.filter(({ file }) => !left.has(file) && this.#fileOf(file)?.isCommitted === true).length
  }

  #fileOf(file: number): StoredFile | undefined {
    return this.#files.get(this.#manifest.entry(file).path)
  }

  isKept({ file, fileOffset }: Piece): boolean {
    if (this.#files.size === 0) return false
    const { size, mtimeMs } = this.#manifest.entry(file)
    const known = this.#fileOf(file)
    if (known === undefined || known.size !== size || known.mtimeMs !== mtimeMs) return false
    return known.isCommitted || this.#leavesOf(known).has(fileOffset / LEAF_BYTES)
  }

  /** The earlier run left a leaf of the same length at this place, of a file that has changed since. */
  hasOtherVersion({ pieces: [piece] }: Chunk): boolean {
    const known = piece === undefined || this.#files.size === 0 ? undefined : this.#fileOf(piece.file)
    if (piece === undefined || known === undefined || known.isCommitted) return false
    const length = Math.min(LEAF_BYTES, known.size - piece.fileOffset)
    return length === piece.length && this.#leavesOf(known).has(piece.fileOffset / LEAF_BYTES)
  }

  #leavesOf(known: StoredFile): ReadonlySet<number> {
    const cached = this.#leafSets.get(known)
    if (cached !== undefined) return cached
    const made = new Set(known.leaves)
    this.#leafSets.set(known, made)
    return made
  }
}
