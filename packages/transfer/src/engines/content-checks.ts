import type { Chunk } from '../manifests/layout.ts'
import type { VisibleEntry } from '../targets/target.ts'
import type { IncomingManifest } from './incoming-manifest.ts'

interface MatchedChunk {
  readonly chunk: Chunk
  readonly hashes: Uint8Array
}

interface Check {
  readonly existing: VisibleEntry
  readonly matched: MatchedChunk[]
}

/** Files whose visible bytes are compared with the hashes of the sender, leaf by leaf. */
export class ContentChecks {
  readonly #manifest: IncomingManifest
  readonly #checks = new Map<number, Check>()
  /** Files that were checked at all. */
  readonly #begun = new Set<number>()

  constructor(manifest: IncomingManifest) {
    this.#manifest = manifest
  }

  add(file: number, existing: VisibleEntry): void {
    this.#checks.set(file, { existing, matched: [] })
    this.#begun.add(file)
  }

  /** Undecided still. */
  has(file: number): boolean {
    return this.#checks.has(file)
  }

  hasBegun({ pieces }: Chunk): boolean {
    return pieces.some(({ file }) => this.#begun.has(file))
  }

  concerns({ pieces }: Chunk): boolean {
    return pieces.some(({ file }) => this.#checks.has(file))
  }

  existing(file: number): VisibleEntry | undefined {
    return this.#checks.get(file)?.existing
  }

  /** @returns true when all of the file has matched */
  matched(file: number, chunk: Chunk, hashes: Uint8Array): boolean {
    const check = this.#checks.get(file)
    if (check === undefined) return false
    check.matched.push({ chunk, hashes })
    const [first, end] = this.#manifest.layout.chunksOf(file)
    return check.matched.length === end - first
  }

  /** @returns chunks of a large file that matched so far; the one in hand is not among them */
  finish(file: number): readonly MatchedChunk[] {
    const matched = this.#checks.get(file)?.matched ?? []
    this.#checks.delete(file)
    return matched
  }
}
