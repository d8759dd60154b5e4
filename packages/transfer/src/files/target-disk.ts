// One class past 250 lines: part files, journal and the folders they lie in are one state that a crash must not tear.
import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { LEAF_BYTES } from '@godwit/base'
import { TransferError } from '../errors/transfer-error.ts'
import { type TreeHash, treeHash } from '../hashes/tree-hash.ts'
import { Journal } from '../journals/journal.ts'
import { type KnownFile, replay } from '../journals/replay.ts'
import { JOURNAL_SUFFIX, PART_SUFFIX } from '../manifests/paths.ts'
import type { KeptAttributes } from '../messages/messages.ts'
import type {
  CloseReason,
  EmptyEntry,
  EmptyMade,
  FileFault,
  FilesCommitted,
  SpanAdopted,
  SpansWritten,
  TargetFile,
  TargetSpan,
  TargetState,
  TargetTask,
  WriteSpans,
} from '../targets/target.ts'
import { codeOf, faultOf, writeAll, writeAroundHoles } from './disk-calls.ts'
import { confirmedFiles } from './claims.ts'
import type { DiskFs } from './disk-fs.ts'
import { FinishedFiles } from './finished-files.ts'
import { staysInside } from './links.ts'
import { permissionsOf } from './permissions.ts'

/** Part files kept open. */
const MAX_OPEN = 64
/** Written bytes after which a part file is flushed while the transfer goes on, so that its end has little left to wait for. */
const FLUSH_BYTES = 32 * 1024 * 1024
/** Claims of a journal without an orderly end that are hashed again, in leaves. */
const DISTRUST_LEAVES = 64

/** A task on a disk. */
export interface DiskTask extends TargetTask {
  /** Absolute path of the folder that receives; made when missing. */
  readonly root: string
  readonly keeps: KeptAttributes
}

interface PartFile {
  readonly handle: number
  readonly leaves: Map<number, Uint8Array>
  /** Every byte that was not written since is 0. */
  readonly isNew: boolean
  unflushed: number
}

/**
 * A folder on a disk as a target. Synchronous: it runs in a thread of its own.
 *
 * A small file is written whole to a part file. A large one keeps its part file until the last leaf is there; each leaf is
 * in the journal once it is written. Complete files gather until `commit` makes all of them durable at once, gives them
 * their names and records it in the journal. Nothing is ever written under a final name, and nothing gets one before it is
 * durable.
 */
export class TargetDisk {
  readonly #fs: DiskFs
  readonly #nowMs: () => number
  readonly #safeFolders = new Set<string>()
  readonly #parts = new Map<string, PartFile>()
  readonly #journalled = new Set<number>()
  /** Files ended by a fault; their later spans are dropped. */
  readonly #lost = new Set<number>()
  readonly #known = new Map<string, KnownFile>()
  #root = ''
  #keeps: KeptAttributes = { permissions: false, links: false, holes: false }
  #taskKey = ''
  #hash: TreeHash = treeHash('blake3')
  #journal: Journal | undefined
  /** The file system of the root. */
  #device = 0
  #finished: FinishedFiles

  constructor(fs: DiskFs, nowMs: () => number) {
    this.#fs = fs
    this.#nowMs = nowMs
    this.#finished = new FinishedFiles(fs, '')
  }

  /** @throws TransferError TARGET_UNWRITABLE */
  open({ root, keeps, taskId, hash: hashName }: DiskTask): TargetState {
    this.#root = root
    this.#keeps = keeps
    this.#taskKey = Buffer.from(taskId).toString('hex')
    this.#hash = treeHash(hashName)
    this.#finished = new FinishedFiles(this.#fs, root)
    try {
      this.#fs.mkdirSync(root, { recursive: true, mode: 0o750 })
      const isEmpty = this.#isEmpty()
      const path = `${root}/.${this.#taskKey}${JOURNAL_SUFFIX}`
      this.#journal = new Journal(this.#fs, path, { taskId, hashId: this.#hash.id })
      this.#device = this.#fs.lstatSync(path).dev
      return { ...this.#takeOver(this.#journal), isEmpty }
    } catch (cause) {
      throw new TransferError('TARGET_UNWRITABLE', {}, { cause })
    }
  }

  /** Whether there is nothing in the root but what this program keeps for itself. */
  #isEmpty(): boolean {
    const folder = this.#fs.opendirSync(this.#root)
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (!entry.name.endsWith(PART_SUFFIX) && !entry.name.endsWith(JOURNAL_SUFFIX)) return false
      return true
    } finally {
      folder.closeSync()
    }
  }

  #takeOver(journal: Journal): Omit<TargetState, 'isEmpty'> {
    const past = replay(journal.past, DISTRUST_LEAVES)
    const claims = { fs: this.#fs, hash: this.#hash, partPath: this.#partPath, finalPath: this.#finalPath }
    for (const file of confirmedFiles(claims, past)) this.#known.set(file.path, file)
    return {
      isResumed: past.files.size > 0,
      files: [...this.#known.values()].map(({ path, size, mtimeMs, isDone, leaves }) => {
        return { path, size, mtimeMs, isCommitted: isDone, leaves: [...leaves.keys()].toSorted((a, b) => a - b) }
      }),
    }
  }

  /** See `Target.write`. */
  write(request: WriteSpans): SpansWritten {
    const startedAt = this.#nowMs()
    const mismatched: number[] = []
    const failed: FileFault[] = []
    request.spans.forEach((span, index) => {
      const bytes = request.block.subarray(span.blockOffset, span.blockOffset + span.length)
      if (this.#lost.has(span.file)) return
      if (Buffer.compare(this.#hash.leaf(bytes), span.leaf) !== 0) return void mismatched.push(index)
      this.#attempt(span.file, failed, () => this.#writeSpan(span, bytes))
    })
    return { mismatched, failed, uncommitted: this.#finished.size, busyMs: this.#nowMs() - startedAt }
  }

  /** A fault ends the file, not the transfer. */
  #attempt(file: number, failed: FileFault[], work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#lost.add(file)
      failed.push({ file, code: error instanceof LinkRefused ? 'LINK_REFUSED' : faultOf(error) })
    }
  }

  #writeSpan(span: TargetSpan, bytes: Uint8Array): void {
    this.#makeFolders(folderOf(span.path))
    if (span.length === span.size) return this.#writeWhole(span, bytes)
    const part = this.#openPart(span)
    this.#writeBytes(part.handle, { bytes, offset: span.fileOffset, isOverZeros: part.isNew })
    part.unflushed += bytes.length
    if (part.unflushed >= FLUSH_BYTES) this.#flush(part)
    this.#countLeaf(span, part)
  }

  #writeBytes(handle: number, what: { bytes: Uint8Array; offset: number; isOverZeros: boolean }): void {
    if (this.#keeps.holes && what.isOverZeros) writeAroundHoles(this.#fs, handle, what)
    else writeAll(this.#fs, handle, what)
  }

  /** A leaf is where it belongs. */
  #countLeaf(span: TargetSpan, part: PartFile): void {
    const leaf = span.fileOffset / LEAF_BYTES
    part.leaves.set(leaf, span.leaf)
    this.#introduce(span)
    this.#journal?.add({ type: 'block', file: span.file, leaf, hash: span.leaf })
    if (part.leaves.size === Math.ceil(span.size / LEAF_BYTES)) this.#finish(span, part)
  }

  /** See `Target.adopt`. */
  adopt(span: TargetSpan): SpanAdopted {
    const before = this.#known.get(span.path)?.leaves.get(span.fileOffset / LEAF_BYTES)
    const failed: FileFault[] = []
    const isSame = before !== undefined && Buffer.compare(before, span.leaf) === 0 && !this.#lost.has(span.file)
    if (isSame)
      this.#attempt(span.file, failed, () => {
        this.#makeFolders(folderOf(span.path))
        this.#countLeaf(span, this.#openPart(span))
      })
    return { isSame, failed, uncommitted: this.#finished.size }
  }

  #flush(part: PartFile): void {
    this.#fs.fdatasyncSync(part.handle)
    part.unflushed = 0
  }

  #writeWhole(file: TargetFile, bytes: Uint8Array): void {
    const temporary = this.#partPath(file.path)
    const handle = this.#openNew(temporary, permissionsOf(file, this.#keeps))
    try {
      if (this.#keeps.holes) this.#fs.ftruncateSync(handle, bytes.length)
      this.#writeBytes(handle, { bytes, offset: 0, isOverZeros: true })
      this.#fs.futimesSync(handle, file.mtimeMs / 1000, file.mtimeMs / 1000)
    } catch (error) {
      this.#fs.closeSync(handle)
      throw error
    }
    this.#finished.add({ temporary, path: file.path, file: file.file, handle, record: whole(file) })
  }

  readonly #grantedRights = new Map<number, boolean>()

  /** A file that nobody else has open. An earlier run may have left one of the name. */
  #openNew(path: string, rights: number): number {
    let handle: number
    try {
      handle = this.#fs.openSync(path, WRITE_NEW, rights)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      this.#fs.unlinkSync(path)
      handle = this.#fs.openSync(path, WRITE_NEW, rights)
    }
    // The umask may remove permissions. It always does or never: checked once for each set of permissions.
    const isGranted = this.#grantedRights.get(rights) ?? (this.#fs.fstatSync(handle).mode & 0o777) === rights
    this.#grantedRights.set(rights, isGranted)
    if (!isGranted) this.#fs.fchmodSync(handle, rights)
    return handle
  }

  /** A large file has all its leaves: gives it time and rights. */
  #finish(span: TargetSpan, part: PartFile): void {
    this.#fs.fchmodSync(part.handle, permissionsOf(span, this.#keeps))
    this.#fs.futimesSync(part.handle, span.mtimeMs / 1000, span.mtimeMs / 1000)
    this.#parts.delete(span.path)
    const { path, file } = span
    const temporary = this.#partPath(path)
    this.#finished.add({ temporary, path, file, handle: part.handle, record: { type: 'done', file } })
  }

  #openPart(span: TargetSpan): PartFile {
    const known = this.#parts.get(span.path)
    if (known !== undefined) return known
    this.#closeOldest()
    const path = this.#partPath(span.path)
    const handle = this.#fs.openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    const isNew = this.#fs.fstatSync(handle).size === 0
    this.#fs.ftruncateSync(handle, span.size)
    const before = this.#known.get(span.path)
    const isSame = before?.size === span.size && before.mtimeMs === span.mtimeMs && !before.isDone
    const part: PartFile = { handle, leaves: new Map(isSame ? before.leaves : []), isNew, unflushed: 0 }
    this.#parts.set(span.path, part)
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
    const introduced = this.#introduced.get(path)
    if (introduced !== undefined) this.#known.set(path, { ...introduced, path, leaves: part.leaves, isDone: false })
  }

  readonly #introduced = new Map<string, { size: number; mtimeMs: number }>()

  #introduce({ file, path, size, mtimeMs }: TargetFile): void {
    if (this.#journalled.has(file)) return
    this.#journalled.add(file)
    this.#introduced.set(path, { size, mtimeMs })
    this.#journal?.add({ type: 'file', file, path, size, mtimeMs })
  }

  /** See `Target.makeEmpty`. */
  makeEmpty(entries: readonly EmptyEntry[]): EmptyMade {
    const failed: FileFault[] = []
    let folders = 0
    for (const entry of entries) {
      this.#attempt(entry.file, failed, () => {
        if (entry.kind === 'directory') {
          this.#makeFolders(entry.path)
          folders++
          return
        }
        if (entry.kind === 'link' && !this.#mayLink(entry)) throw new LinkRefused()
        this.#makeFolders(folderOf(entry.path))
        if (entry.kind === 'link') this.#makeLink(entry)
        else this.#writeWhole({ ...entry, size: 0 }, new Uint8Array(0))
      })
    }
    return { folders, failed, uncommitted: this.#finished.size }
  }

  #mayLink({ path, linkTarget = '' }: EmptyEntry): boolean {
    return this.#keeps.links && staysInside(path, linkTarget)
  }

  #makeLink({ file, path, linkTarget = '', mtimeMs }: EmptyEntry): void {
    const temporary = this.#partPath(path)
    try {
      this.#fs.symlinkSync(linkTarget, temporary)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      this.#fs.unlinkSync(temporary)
      this.#fs.symlinkSync(linkTarget, temporary)
    }
    this.#fs.lutimesSync(temporary, mtimeMs / 1000, mtimeMs / 1000)
    this.#finished.add({ temporary, path, file, handle: undefined, record: undefined })
  }

  /** Makes each folder of a checked relative path; refuses to walk through a link, wherever it leads. */
  #makeFolders(path: string): void {
    if (path === '' || this.#safeFolders.has(path)) return
    this.#makeFolders(folderOf(path))
    const absolute = this.#finalPath(path)
    try {
      this.#fs.mkdirSync(absolute, { mode: 0o750 })
      this.#finished.touched(dirname(absolute))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const found = this.#fs.lstatSync(absolute)
      if (!found.isDirectory()) throw error
      if (found.dev !== this.#device) this.#finished.spanMounts()
    }
    this.#safeFolders.add(path)
  }

  /** Makes complete files durable, gives them their names, and records it in the journal. */
  commit(): FilesCommitted {
    const startedAt = this.#nowMs()
    const { committed, failed } = this.#finished.commit()
    for (const { file } of failed) this.#lost.add(file)
    for (const record of committed) if (record !== undefined) this.#journal?.add(record)
    this.#journal?.write()
    return { committed: committed.length, failed, busyMs: this.#nowMs() - startedAt }
  }

  close(reason: CloseReason): void {
    this.commit()
    for (const part of this.#parts.values()) {
      this.#fs.fdatasyncSync(part.handle)
      this.#fs.closeSync(part.handle)
    }
    this.#parts.clear()
    this.#finished.syncFolders()
    if (reason === 'interrupted') this.#journal?.closeClean()
    else this.#journal?.remove()
    this.#journal = undefined
  }

  readonly #finalPath = (path: string): string => `${this.#root}/${path}`

  /** The part file of a path: beside it, since rename is atomic only within one file system, and of a fixed length. */
  readonly #partPath = (path: string): string => {
    const id = hash('sha256', `${this.#taskKey}\n${path}`).slice(0, 20)
    const folder = folderOf(path)
    return `${this.#root}/${folder}${folder === '' ? '' : '/'}.${id}${PART_SUFFIX}`
  }
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

class LinkRefused extends Error {}

function whole({ path, size, mtimeMs }: TargetFile) {
  return { type: 'whole', path, size, mtimeMs } as const
}

/** The folder of a checked relative path; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
