import { HASH_BYTES, treeHash } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import { checkPath } from '../manifests/paths.ts'
import type { FileFailure, ReadSpans, Source, SourceItem, SourceSpan, SpanFault, SpansRead } from '../sources/source.ts'

export interface MemorySourceFile {
  readonly bytes: Uint8Array
  readonly mtimeMs: number
}

/** Files in memory, by path; folders are made from the paths. What the caller changes in the map has changed for the source. */
export class MemorySource implements Source {
  readonly #files: ReadonlyMap<string, MemorySourceFile>

  constructor(files: ReadonlyMap<string, MemorySourceFile>) {
    this.#files = files
  }

  async *list(onSkipped: (skipped: FileFailure) => void): AsyncGenerator<SourceItem> {
    const folders = new Set<string>()
    for (const [name, { bytes, mtimeMs }] of this.#files) {
      const parts = name.split('/')
      for (let depth = 1; depth < parts.length; depth++) {
        const folder = parts.slice(0, depth).join('/')
        if (!folders.has(folder)) yield* itemOf({ path: folder, kind: 'directory', size: 0, mtimeMs }, onSkipped)
        folders.add(folder)
      }
      yield* itemOf({ path: name, kind: 'file', size: bytes.length, mtimeMs }, onSkipped)
    }
  }

  async read({ block, hash, spans }: ReadSpans): Promise<SpansRead> {
    const { leaf } = treeHash(hash)
    const leaves = new Uint8Array(spans.length * HASH_BYTES)
    const faults: Array<{ span: number; fault: SpanFault }> = []
    spans.forEach((span, index) => {
      const target = block.subarray(span.blockOffset, span.blockOffset + span.length)
      const fault = this.#readSpan(span, target)
      if (fault === undefined) leaves.set(leaf(target), index * HASH_BYTES)
      else faults.push({ span: index, fault })
    })
    return { leaves, faults, busyMs: 0 }
  }

  #readSpan(span: SourceSpan, target: Uint8Array): SpanFault | undefined {
    const file = this.#files.get(span.ref)
    if (file === undefined) return 'SOURCE_UNREADABLE'
    if (file.bytes.length !== span.size || file.mtimeMs !== span.mtimeMs) return 'SOURCE_CHANGED'
    target.set(file.bytes.subarray(span.fileOffset, span.fileOffset + span.length))
    return undefined
  }

  async close(): Promise<void> {}
}

function* itemOf(
  { path, kind, size, mtimeMs }: { path: string } & Pick<ManifestEntry, 'kind' | 'size' | 'mtimeMs'>,
  onSkipped: (skipped: FileFailure) => void,
): Generator<SourceItem> {
  const checked = checkPath(path)
  if (!checked.ok) return onSkipped({ path, code: `PATH_REFUSED ${checked.fault}` })
  yield { ref: path, entry: { kind, path: checked.path, size, mtimeMs, mode: kind === 'file' ? 0o640 : 0o750 } }
}
