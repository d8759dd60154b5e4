import { dirname } from 'node:path'
import type { JournalRecord } from '../journals/journal.codec.ts'
import type { FileFault, TargetFault } from '../targets/target.ts'
import { codeOf, faultOf } from './disk-calls.ts'
import type { DiskFs } from './disk-fs.ts'

/** So few files are flushed one by one; for more of them the whole file system is, in a single call. */
const FEW = 4

/** A file that has all its bytes, time and rights, under a temporary name. */
export interface FinishedFile {
  readonly file: number
  /** Relative, checked. */
  readonly path: string
  /** Absolute. */
  readonly temporary: string
  /** Open for writing; this class closes it. Undefined: there is nothing to flush but the name. */
  readonly handle: number | undefined
  /** What the journal records once the file is in its place; nothing for a link, which is cheap to make again. */
  readonly record: JournalRecord | undefined
}

/**
 * Complete files on their last step: durable first, then visible. A flush of one file takes as long as a flush of a
 * thousand, since each waits for the disk; so files are flushed together.
 */
export class FinishedFiles {
  readonly #fs: DiskFs
  readonly #root: string
  #waiting: FinishedFile[] = []
  /** Absolute folders with names that are not durable yet. */
  readonly #folders = new Set<string>()
  /** Some files may lie on another file system than the root. */
  #spansMounts = false
  #unflushed = 0
  /** Files that wait with an open handle. */
  #held = 0

  /** @param root absolute; files are shown below it */
  constructor(fs: DiskFs, root: string) {
    this.#fs = fs
    this.#root = root
  }

  get size(): number {
    return this.#waiting.length
  }

  /** A folder below the root is on another file system: from now on each file is flushed by itself. */
  spanMounts(): void {
    this.#spansMounts = true
  }

  /** A folder has a new name in it. @param folder absolute */
  touched(folder: string): void {
    this.#folders.add(folder)
  }

  /** Takes over the handle, also when it throws. */
  add(file: FinishedFile): void {
    const { handle } = file
    const isHeld = handle !== undefined && this.#held < FEW
    if (isHeld) this.#held++
    else if (handle !== undefined) this.#release(handle)
    // Closed: durable already, or with the whole file system.
    this.#waiting.push({ ...file, handle: isHeld ? handle : undefined })
  }

  #release(handle: number): void {
    try {
      if (this.#fs.syncFilesystem === undefined || this.#spansMounts) this.#fs.fdatasyncSync(handle)
      else this.#unflushed++
    } finally {
      this.#fs.closeSync(handle)
    }
  }

  commit(): { committed: Array<FinishedFile['record']>; failed: FileFault[] } {
    const waiting = this.#waiting
    this.#waiting = []
    this.#held = 0
    const committed: Array<FinishedFile['record']> = []
    const failed: FileFault[] = []
    const common = attempt(() => this.#flushAll(waiting))
    for (const one of waiting) {
      const unflushed = attempt(() => this.#flushOne(one)) ?? common
      const fault = unflushed ?? attempt(() => this.#show(one))
      if (fault === undefined) committed.push(one.record)
      else failed.push({ file: one.file, code: fault })
      // What a failed flush left on disk is unknown. A large file that only lacks its name is worth keeping.
      if (unflushed !== undefined || (fault !== undefined && one.record?.type !== 'done')) this.#discard(one)
    }
    return { committed, failed }
  }

  #discard({ temporary }: FinishedFile): void {
    try {
      this.#fs.unlinkSync(temporary)
    } catch {
      // The disk is failing already, and the file is reported as failed.
    }
  }

  /** The files that are closed already. */
  #flushAll(waiting: readonly FinishedFile[]): void {
    const handle = waiting.find((one) => one.handle !== undefined)?.handle
    if (this.#unflushed === 0 || handle === undefined) return
    this.#unflushed = 0
    this.#fs.syncFilesystem?.(handle)
  }

  #flushOne({ handle }: FinishedFile): void {
    if (handle === undefined) return
    try {
      this.#fs.fdatasyncSync(handle)
    } finally {
      this.#fs.closeSync(handle)
    }
  }

  #show({ temporary, path }: FinishedFile): void {
    const final = `${this.#root}/${path}`
    this.#fs.renameSync(temporary, final)
    this.touched(dirname(final))
  }

  /** Makes the names durable. */
  syncFolders(): void {
    const isMany = this.#folders.size > FEW && this.#fs.syncFilesystem !== undefined && !this.#spansMounts
    if (isMany) this.#withFolder(this.#root, (handle) => this.#fs.syncFilesystem?.(handle))
    else for (const folder of this.#folders) this.#withFolder(folder, (handle) => this.#fs.fsyncSync(handle))
    this.#folders.clear()
  }

  #withFolder(path: string, flush: (handle: number) => void): void {
    const handle = this.#fs.openSync(path, 'r')
    try {
      flush(handle)
    } catch (error) {
      // Windows cannot flush a folder; its renames are journalled by the file system.
      if (codeOf(error) !== 'EPERM') throw error
    } finally {
      this.#fs.closeSync(handle)
    }
  }
}

function attempt(work: () => void): TargetFault | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return faultOf(error)
  }
}
