import { LEAF_BYTES, leafCount } from '@godwit/base'
import { type HashName, type TreeHash, treeHash } from '../hashes/tree-hash.ts'
import type {
  CloseReason,
  EmptyEntry,
  EmptyMade,
  EntryAttributes,
  FileFault,
  FilesCommitted,
  SpanAdopted,
  SpansWritten,
  StoredFile,
  Target,
  TargetFile,
  TargetSpan,
  TargetState,
  TargetTask,
  VisibleEntry,
  WriteSpans,
} from '../targets/target.ts'

export interface MemoryFile {
  readonly bytes: Uint8Array
  readonly mtimeMs: number
  readonly mode: number
  /** Tree hash, 64 hexadecimal digits. */
  readonly hash: string
}

interface Part {
  readonly file: TargetFile
  readonly bytes: Uint8Array
  readonly leaves: Map<number, Uint8Array>
}

/** What outlives a target: the same as a disk for the target of `gwt`. */
export class MemoryDisk {
  readonly files = new Map<string, MemoryFile>()
  readonly folders = new Set<string>()
  /** Undefined: unknown. */
  freeBytes: number | undefined
  /** By task id. */
  readonly tasks = new Map<string, { readonly parts: Map<string, Part>; readonly committed: Map<string, TargetFile> }>()
}

/** The plainest target that keeps the contract. */
export class MemoryTarget implements Target {
  readonly keeps = { permissions: true, links: false, holes: false }
  readonly #disk: MemoryDisk
  #parts = new Map<string, Part>()
  #committed = new Map<string, TargetFile>()
  #earlier = new Map<string, Part>()
  readonly #complete = new Map<string, Part>()
  readonly #failed = new Set<number>()
  #hash: TreeHash = treeHash('blake3')
  #taskKey = ''

  constructor(disk: MemoryDisk) {
    this.#disk = disk
  }

  async look(paths: readonly string[]): Promise<ReadonlyArray<VisibleEntry | undefined>> {
    return paths.map((path) => {
      const file = this.#disk.files.get(path)
      if (file !== undefined) return { kind: 'file', size: file.bytes.length, mtimeMs: file.mtimeMs }
      return this.#disk.folders.has(path) ? { kind: 'directory', size: 0, mtimeMs: 0 } : undefined
    })
  }

  async matches(spans: readonly TargetSpan[], hash: HashName): Promise<readonly boolean[]> {
    return spans.map(({ path, fileOffset, length, leaf }) => {
      const bytes = this.#disk.files.get(path)?.bytes.subarray(fileOffset, fileOffset + length)
      return bytes !== undefined && Buffer.compare(treeHash(hash).leaf(bytes), leaf) === 0
    })
  }

  async freeBytes(): Promise<number | undefined> {
    return this.#disk.freeBytes
  }

  async setAttributes(entries: readonly EntryAttributes[]): Promise<void> {
    for (const { path, mtimeMs, mode } of entries) {
      const file = this.#disk.files.get(path)
      if (file !== undefined) this.#disk.files.set(path, { ...file, mtimeMs, mode })
    }
  }

  async open(task: TargetTask): Promise<TargetState> {
    this.#hash = treeHash(task.hash)
    this.#taskKey = Buffer.from(task.taskId).toString('hex')
    const before = this.#disk.tasks.get(this.#taskKey) ?? {
      parts: new Map<string, Part>(),
      committed: new Map<string, TargetFile>(),
    }
    this.#disk.tasks.set(this.#taskKey, before)
    this.#parts = before.parts
    this.#committed = before.committed
    this.#earlier = new Map(before.parts)
    const files = [...this.#storedParts(), ...this.#storedFiles()]
    return { isResumed: files.length > 0, files, isEmpty: this.#disk.files.size + this.#disk.folders.size === 0 }
  }

  *#storedParts(): Generator<StoredFile> {
    for (const { file, leaves } of this.#parts.values()) {
      const { path, size, mtimeMs } = file
      // The last leaf of a complete file is asked for again, so that writing it completes the file.
      if (leaves.size === leafCount(size)) leaves.delete(Math.max(...leaves.keys()))
      yield { path, size, mtimeMs, isCommitted: false, leaves: [...leaves.keys()].toSorted((a, b) => a - b) }
    }
  }

  *#storedFiles(): Generator<StoredFile> {
    for (const { path, size, mtimeMs } of this.#committed.values()) {
      const there = this.#disk.files.get(path)
      const isCommitted = there?.bytes.length === size && there.mtimeMs === mtimeMs
      yield { path, size, mtimeMs, isCommitted, leaves: [] }
    }
  }

  async write({ block, spans }: WriteSpans): Promise<SpansWritten> {
    const mismatched: number[] = []
    const failed: FileFault[] = []
    spans.forEach((span, index) => {
      const bytes = block.subarray(span.blockOffset, span.blockOffset + span.length)
      if (this.#failed.has(span.file)) return
      if (Buffer.compare(this.#hash.leaf(bytes), span.leaf) !== 0) return void mismatched.push(index)
      if (!this.#makeFolders(folderOf(span.path)) || this.#disk.folders.has(span.path)) {
        this.#failed.add(span.file)
        return void failed.push({ file: span.file, code: 'TARGET_UNWRITABLE' })
      }
      const part = this.#partOf(span)
      part.bytes.set(bytes, span.fileOffset)
      this.#addLeaf(part, span)
    })
    return { mismatched, failed, uncommitted: this.#complete.size, busyMs: 0 }
  }

  async adopt(span: TargetSpan): Promise<SpanAdopted> {
    const leaf = span.fileOffset / LEAF_BYTES
    const stored = this.#earlier.get(span.path)
    const found = stored?.leaves.get(leaf)
    const isSame = found !== undefined && Buffer.compare(found, span.leaf) === 0
    if (isSame && stored !== undefined) {
      const part = this.#partOf(span)
      part.bytes.set(stored.bytes.subarray(span.fileOffset, span.fileOffset + span.length), span.fileOffset)
      this.#addLeaf(part, span)
    }
    return { isSame, failed: [], uncommitted: this.#complete.size }
  }

  #partOf(span: TargetSpan): Part {
    const known = this.#parts.get(span.path)
    if (known?.file.size === span.size && known.file.mtimeMs === span.mtimeMs) return known
    const part = { file: span, bytes: new Uint8Array(span.size), leaves: new Map<number, Uint8Array>() }
    this.#parts.set(span.path, part)
    return part
  }

  #addLeaf(part: Part, span: TargetSpan): void {
    part.leaves.set(span.fileOffset / LEAF_BYTES, span.leaf)
    if (part.leaves.size === leafCount(span.size)) this.#complete.set(span.path, { ...part, file: span })
  }

  async makeEmpty(entries: readonly EmptyEntry[]): Promise<EmptyMade> {
    const failed: FileFault[] = []
    let folders = 0
    for (const entry of entries) {
      const isFolder = entry.kind === 'directory'
      if (entry.kind === 'link') {
        failed.push({ file: entry.file, code: 'LINK_REFUSED' })
        continue
      }
      const isFine = this.#makeFolders(isFolder ? entry.path : folderOf(entry.path))
      if (!isFine) failed.push({ file: entry.file, code: 'TARGET_UNWRITABLE' })
      else if (isFolder) folders++
      else this.#complete.set(entry.path, { file: { ...entry, size: 0 }, bytes: new Uint8Array(0), leaves: new Map() })
    }
    return { folders, failed, uncommitted: this.#complete.size }
  }

  /** @returns false when a file is in the way */
  #makeFolders(path: string): boolean {
    if (path === '') return true
    if (!this.#makeFolders(folderOf(path)) || this.#disk.files.has(path)) return false
    this.#disk.folders.add(path)
    return true
  }

  async commit(): Promise<FilesCommitted> {
    const committed = this.#complete.size
    for (const [path, { file, bytes, leaves }] of this.#complete) {
      const ordered = [...leaves].toSorted(([a], [b]) => a - b).map(([, leaf]) => leaf)
      const { mtimeMs, mode } = file
      this.#disk.files.set(path, { bytes, mtimeMs, mode, hash: this.#hash.root(bytes.length, ordered) })
      this.#parts.delete(path)
      this.#committed.set(path, file)
    }
    this.#complete.clear()
    return { committed, failed: [], busyMs: 0 }
  }

  async close(reason: CloseReason): Promise<void> {
    await this.commit()
    if (reason === 'complete') this.#disk.tasks.delete(this.#taskKey)
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
