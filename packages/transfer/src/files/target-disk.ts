// One class past 250 lines: part files, journal and the folders they lie in are one state that a crash must not tear.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { LEAF_BYTES } from '@godwit/base'
import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES, type TreeHash, treeHash } from '../hashes/tree-hash.ts'
import { decodeJournal, encodeRecord, journalHead, type JournalRecord } from '../journals/journal.codec.ts'
import { type KnownFile, type Replay, replay } from '../journals/replay.ts'
import { JOURNAL_SUFFIX, PART_SUFFIX } from '../manifests/paths.ts'
import type {
  ChunkWritten,
  CloseTarget,
  DiskFs,
  EmptyEntry,
  OpenTarget,
  TargetFault,
  TargetOpened,
  TargetPiece,
  WriteChunk,
} from './disk.types.ts'

/** Part files kept open. */
const MAX_OPEN = 64
/** Written bytes after which a part file is flushed while the transfer goes on, so that its end has little left to wait for. */
const FLUSH_BYTES = 32 * 1024 * 1024
/** Journal bytes collected before they are written. */
const JOURNAL_BUFFER = 16 * 1024

interface PartFile {
  readonly handle: number
  readonly leaves: Map<number, Uint8Array>
  unflushed: number
}

/**
 * Writes verified chunks at the receiving side. Synchronous: it runs in a thread of its own.
 *
 * A small file is written whole to a part file and renamed into place. A large one keeps its part file until the last
 * leaf is there; each leaf is in the journal once it is written. Nothing is ever written under a final name.
 */
export class TargetDisk {
  readonly #fs: DiskFs
  readonly #nowMs: () => number
  readonly #safeFolders = new Set<string>()
  readonly #parts = new Map<string, PartFile>()
  readonly #journalled = new Set<number>()
  /** Files a fault ended; their later chunks are dropped. */
  readonly #lost = new Set<number>()
  #known: ReadonlyMap<string, KnownFile> = new Map()
  #target: OpenTarget = { root: '', taskId: new Uint8Array(0), hash: 'blake3', distrust: 0 }
  #hash: TreeHash = treeHash('blake3')
  #journal = -1
  #journalAt = 0
  #journalBuffer: Uint8Array[] = []
  #journalBuffered = 0

  constructor(fs: DiskFs, nowMs: () => number) {
    this.#fs = fs
    this.#nowMs = nowMs
  }

  /** @throws TransferError TARGET_UNWRITABLE */
  open(target: OpenTarget): TargetOpened {
    this.#target = target
    this.#hash = treeHash(target.hash)
    try {
      this.#fs.mkdirSync(target.root, { recursive: true, mode: 0o750 })
      return this.#openJournal()
    } catch (cause) {
      throw new TransferError('TARGET_UNWRITABLE', {}, { cause })
    }
  }

  #openJournal(): TargetOpened {
    const path = this.#journalPath()
    const old = this.#readIfThere(path)
    const text =
      old === undefined ? undefined : decodeJournal(old, { taskId: this.#target.taskId, hashId: this.#hash.id })
    this.#journal = this.#fs.openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    const head = journalHead(this.#target.taskId, this.#hash.id)
    if (text === undefined) this.#fs.writeSync(this.#journal, head, 0, head.length, 0)
    this.#journalAt = text?.wholeBytes ?? head.length
    this.#fs.ftruncateSync(this.#journal, this.#journalAt)
    const past = replay(text?.records ?? [], this.#target.distrust)
    const rehashedBytes = this.#checkDoubtful(past)
    this.#known = past.files
    return {
      isResumed: past.files.size > 0,
      known: [...past.files.values()].map((file) => ({
        path: file.path,
        size: file.size,
        mtimeMs: file.mtimeMs,
        isDone: file.isDone && this.#isInPlace(file),
        leaves: this.#fileSize(this.#partPath(file.path)) === file.size ? [...file.leaves.keys()] : [],
      })),
      rehashedBytes,
    }
  }

  /** Takes back every claim that the bytes on disk do not bear out. */
  #checkDoubtful(past: Replay): number {
    let bytes = 0
    const block = new Uint8Array(LEAF_BYTES)
    for (const { path, leaf } of past.doubtful) {
      const file = past.files.get(path)
      const claimed = file?.leaves.get(leaf)
      if (file === undefined || claimed === undefined || file.isDone) continue
      const length = Math.min(LEAF_BYTES, file.size - leaf * LEAF_BYTES)
      bytes += length
      if (
        !this.#matches(this.#partPath(path), { block: block.subarray(0, length), offset: leaf * LEAF_BYTES, claimed })
      ) {
        ;(file.leaves as Map<number, Uint8Array>).delete(leaf)
      }
    }
    return bytes
  }

  #matches(path: string, at: { block: Uint8Array; offset: number; claimed: Uint8Array }): boolean {
    try {
      const file = this.#fs.openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
      try {
        const count = this.#fs.readSync(file, at.block, 0, at.block.length, at.offset)
        return count === at.block.length && Buffer.compare(this.#hash.leaf(at.block), at.claimed) === 0
      } finally {
        this.#fs.closeSync(file)
      }
    } catch {
      // Not there or not readable: then it does not bear out the claim.
      return false
    }
  }

  /** A finished file that somebody changed since is not ours any more. */
  #isInPlace(file: KnownFile): boolean {
    try {
      const stat = this.#fs.lstatSync(join(this.#target.root, file.path))
      return stat.isFile() && stat.size === file.size && Math.trunc(stat.mtimeMs) === file.mtimeMs
    } catch {
      return false
    }
  }

  /** Verifies and writes one chunk. Pieces of files that already failed are dropped. */
  writeChunk(request: WriteChunk): ChunkWritten {
    const begun = this.#nowMs()
    const mismatched: number[] = []
    const finished: number[] = []
    const failed: Array<{ file: number; code: TargetFault }> = []
    let at = 0
    request.pieces.forEach((piece, index) => {
      const bytes = request.block.subarray(at, at + piece.length)
      at += piece.length
      if (this.#lost.has(piece.file)) return
      if (Buffer.compare(this.#hash.leaf(bytes), piece.leaf) !== 0) return void mismatched.push(index)
      try {
        if (this.#writePiece(piece, bytes)) finished.push(piece.file)
      } catch (error) {
        this.#lost.add(piece.file)
        failed.push({ file: piece.file, code: faultOf(error) })
      }
    })
    return { mismatched, finished, failed, busyMs: this.#nowMs() - begun }
  }

  /** @returns true when the file is complete and in its place */
  #writePiece(piece: TargetPiece, bytes: Uint8Array): boolean {
    this.#makeFolders(dirname(piece.path))
    if (piece.length === piece.size) {
      this.#writeSmall(piece, bytes)
      return true
    }
    const part = this.#openPart(piece)
    writeAll(this.#fs, part.handle, { bytes, offset: piece.fileOffset })
    const leaf = piece.fileOffset / LEAF_BYTES
    part.leaves.set(leaf, piece.leaf)
    this.#introduce(piece)
    this.#record({ type: 'block', file: piece.file, leaf, hash: piece.leaf })
    part.unflushed += bytes.length
    if (part.unflushed >= FLUSH_BYTES) this.#flush(part)
    if (part.leaves.size < Math.ceil(piece.size / LEAF_BYTES)) return false
    this.#finish(piece, part)
    return true
  }

  #flush(part: PartFile): void {
    this.#fs.fdatasyncSync(part.handle)
    part.unflushed = 0
  }

  #writeSmall(piece: TargetPiece, bytes: Uint8Array): void {
    const temporary = this.#partPath(piece.path)
    const handle = this.#fs.openSync(temporary, WRITE_NEW, 0o600)
    try {
      writeAll(this.#fs, handle, { bytes, offset: 0 })
      this.#dress(handle, piece)
    } finally {
      this.#fs.closeSync(handle)
    }
    this.#place(temporary, piece)
  }

  /** Makes a large file durable, gives it time and rights, and shows it under its name. */
  #finish(piece: TargetPiece, part: PartFile): void {
    this.#dress(part.handle, piece)
    this.#fs.fdatasyncSync(part.handle)
    this.#fs.closeSync(part.handle)
    this.#parts.delete(piece.path)
    this.#place(this.#partPath(piece.path), piece)
    this.#syncFolder(dirname(join(this.#target.root, piece.path)))
  }

  #place(
    temporary: string,
    piece: { readonly file: number; readonly path: string; readonly size: number; readonly mtimeMs: number },
  ): void {
    this.#fs.renameSync(temporary, join(this.#target.root, piece.path))
    this.#introduce(piece)
    this.#record({ type: 'done', file: piece.file })
  }

  #dress(handle: number, entry: { readonly mode: number; readonly mtimeMs: number }): void {
    // Never more than the group may read, whatever the sender had (SECURITY.md row T-10).
    this.#fs.fchmodSync(handle, (entry.mode & 0o750) | 0o600)
    this.#fs.futimesSync(handle, entry.mtimeMs / 1000, entry.mtimeMs / 1000)
  }

  #openPart(piece: TargetPiece): PartFile {
    const known = this.#parts.get(piece.path)
    if (known !== undefined) return known
    this.#closeOldest()
    const path = this.#partPath(piece.path)
    const handle = this.#fs.openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    this.#fs.ftruncateSync(handle, piece.size)
    const before = this.#known.get(piece.path)
    const isSame = before?.size === piece.size && before.mtimeMs === piece.mtimeMs && !before.isDone
    const part: PartFile = { handle, leaves: new Map(isSame ? before.leaves : []), unflushed: 0 }
    this.#parts.set(piece.path, part)
    return part
  }

  /** Leaves of a part that was closed are remembered by what `known` holds; so only parts beyond the bound reopen. */
  #closeOldest(): void {
    const [oldest] = this.#parts
    if (oldest === undefined || this.#parts.size < MAX_OPEN) return
    const [path, part] = oldest
    this.#parts.delete(path)
    this.#fs.fdatasyncSync(part.handle)
    this.#fs.closeSync(part.handle)
    const known = new Map(this.#known)
    known.set(path, { ...this.#introduced.get(path), path, leaves: part.leaves, isDone: false } as KnownFile)
    this.#known = known
  }

  readonly #introduced = new Map<string, { size: number; mtimeMs: number }>()

  #introduce(piece: {
    readonly file: number
    readonly path: string
    readonly size: number
    readonly mtimeMs: number
  }): void {
    if (this.#journalled.has(piece.file)) return
    this.#journalled.add(piece.file)
    if (piece.size >= LEAF_BYTES) this.#introduced.set(piece.path, { size: piece.size, mtimeMs: piece.mtimeMs })
    this.#record({ type: 'file', file: piece.file, path: piece.path, size: piece.size, mtimeMs: piece.mtimeMs })
  }

  /** Empty files and folders. @returns entries that failed */
  makeEmpty(entries: readonly EmptyEntry[]): Array<{ file: number; code: TargetFault }> {
    const failed: Array<{ file: number; code: TargetFault }> = []
    for (const entry of entries) {
      try {
        if (entry.kind === 'directory') this.#makeFolders(entry.path)
        else {
          this.#makeFolders(dirname(entry.path))
          this.#writeSmall(
            { ...entry, size: 0, fileOffset: 0, length: 0, leaf: new Uint8Array(HASH_BYTES) },
            new Uint8Array(0),
          )
        }
      } catch (error) {
        failed.push({ file: entry.file, code: faultOf(error) })
      }
    }
    return failed
  }

  /** Makes each folder of a checked relative path; refuses to walk through a link, wherever it leads. */
  #makeFolders(path: string): void {
    if (path === '.' || this.#safeFolders.has(path)) return
    this.#makeFolders(dirname(path))
    const absolute = join(this.#target.root, path)
    try {
      this.#fs.mkdirSync(absolute, { mode: 0o750 })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || !this.#fs.lstatSync(absolute).isDirectory()) throw error
    }
    this.#safeFolders.add(path)
  }

  close(request: CloseTarget): void {
    for (const part of this.#parts.values()) {
      if (request.how === 'clean') this.#fs.fdatasyncSync(part.handle)
      this.#fs.closeSync(part.handle)
    }
    this.#parts.clear()
    if (this.#journal < 0) return
    if (request.how === 'clean') this.#record({ type: 'clean' })
    this.#writeJournal()
    if (request.how === 'clean') this.#fs.fdatasyncSync(this.#journal)
    this.#fs.closeSync(this.#journal)
    this.#journal = -1
    if (request.how === 'complete') this.#fs.unlinkSync(this.#journalPath())
  }

  #record(record: JournalRecord): void {
    const bytes = encodeRecord(record)
    this.#journalBuffer.push(bytes)
    this.#journalBuffered += bytes.length
    if (record.type === 'block' || this.#journalBuffered >= JOURNAL_BUFFER) this.#writeJournal()
  }

  #writeJournal(): void {
    if (this.#journalBuffered === 0) return
    const bytes = Buffer.concat(this.#journalBuffer)
    this.#journalBuffer = []
    this.#journalBuffered = 0
    writeAll(this.#fs, this.#journal, { bytes, offset: this.#journalAt })
    this.#journalAt += bytes.length
  }

  /** The part file of a path: beside it, since rename is atomic only within one file system, and of a fixed length. */
  #partPath(path: string): string {
    const id = createHash('sha256').update(this.#target.taskId).update(path).digest('hex').slice(0, 20)
    return join(this.#target.root, dirname(path), `.${id}${PART_SUFFIX}`)
  }

  #journalPath(): string {
    return join(this.#target.root, `.${Buffer.from(this.#target.taskId).toString('hex')}${JOURNAL_SUFFIX}`)
  }

  #readIfThere(path: string): Uint8Array | undefined {
    try {
      return this.#fs.readFileSync(path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  #fileSize(path: string): number {
    try {
      return this.#fs.lstatSync(path).size
    } catch {
      // Not there: no leaf of it can count.
      return -1
    }
  }

  #syncFolder(path: string): void {
    const handle = this.#fs.openSync(path, 'r')
    try {
      this.#fs.fsyncSync(handle)
    } catch (error) {
      // Windows cannot flush a folder; its renames are journalled by the file system.
      if (codeOf(error) !== 'EPERM') throw error
    } finally {
      this.#fs.closeSync(handle)
    }
  }
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

function writeAll(fs: DiskFs, handle: number, what: { bytes: Uint8Array; offset: number }): void {
  let done = 0
  while (done < what.bytes.length) {
    done += fs.writeSync(handle, what.bytes, done, what.bytes.length - done, what.offset + done)
  }
}

function faultOf(error: unknown): TargetFault {
  const code = codeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'DISK_FULL' : 'TARGET_UNWRITABLE'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
