import { LEAF_BYTES } from '@godwit/base'
import type { Chunk, Piece } from '../manifests/layout.ts'
import type { StoredFile, TargetState } from '../targets/target.ts'
import type { IncomingManifest } from './incoming-manifest.ts'

/** What an earlier run of the task brought, compared with the list of this one. */
export class EarlierRun {
  readonly isResumed: boolean
  readonly #manifest: IncomingManifest
  readonly #files: ReadonlyMap<string, StoredFile>
  readonly #leafSets = new Map<StoredFile, ReadonlySet<number>>()

  constructor(manifest: IncomingManifest, opened: TargetState) {
    this.#manifest = manifest
    this.isResumed = opened.isResumed
    this.#files = new Map(opened.files.map((file) => [file.path, file]))
  }

  /** Chunks from `firstChunk` on that the earlier run brought whole. */
  keptChunks(firstChunk: number): Chunk[] {
    return this.#chunksFrom(firstChunk, ({ pieces }) => pieces.every((piece) => this.#isKept(piece)))
  }

  /** Leaves of files of which the earlier run brought another version: mostly a source that changed in between. */
  otherVersions(firstChunk: number, isWritten: (chunk: number) => boolean): Chunk[] {
    return this.#chunksFrom(
      firstChunk,
      (chunk) => !isWritten(chunk.index) && this.#manifest.isLeaf(chunk) && this.#isOtherVersion(chunk),
    )
  }

  /** Files in a kept chunk that are in their place already. */
  filesDone({ pieces }: Chunk): number {
    return pieces.filter(({ file }) => this.#fileOf(file)?.isCommitted === true).length
  }

  #chunksFrom(firstChunk: number, fits: (chunk: Chunk) => boolean): Chunk[] {
    const { layout } = this.#manifest
    const found: Chunk[] = []
    if (this.#files.size === 0) return found
    for (let index = firstChunk; index < layout.chunks; index++) {
      const chunk = layout.chunk(index)
      if (fits(chunk)) found.push(chunk)
    }
    return found
  }

  #fileOf(file: number): StoredFile | undefined {
    return this.#files.get(this.#manifest.entry(file).path)
  }

  #isKept({ file, fileOffset }: Piece): boolean {
    const { size, mtimeMs } = this.#manifest.entry(file)
    const known = this.#fileOf(file)
    if (known === undefined || known.size !== size || known.mtimeMs !== mtimeMs) return false
    return known.isCommitted || this.#leavesOf(known).has(fileOffset / LEAF_BYTES)
  }

  /** The part file has a verified leaf of the same length at this place. */
  #isOtherVersion({ pieces: [piece] }: Chunk): boolean {
    const known = piece === undefined ? undefined : this.#fileOf(piece.file)
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
