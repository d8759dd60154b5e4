import { constants } from 'node:fs'
import { type HashName, treeHash } from '../hashes/tree-hash.ts'
import type { KeptAttributes } from '../messages/messages.ts'
import type { EntryAttributes, TargetSpan, VisibleEntry } from '../targets/target.ts'
import { codeOf } from './disk-calls.ts'
import type { DiskFs } from './disk-fs.ts'
import { permissionsOf } from './permissions.ts'

/** A file by its own name: never through a link, and never waiting for a pipe. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** What stands in a receiving folder under its final name. Synchronous: it runs in the disk thread. */
export class VisibleFiles {
  readonly #fs: DiskFs
  readonly #root: string
  /** The last folder that was not there: its other files are not there either. */
  #missingFolder: string | undefined

  /** @param root absolute */
  constructor(fs: DiskFs, root: string) {
    this.#fs = fs
    this.#root = root
  }

  look(paths: readonly string[]): Array<VisibleEntry | undefined> {
    this.#missingFolder = undefined
    return paths.map((path) => this.#lookAt(path))
  }

  #lookAt(path: string): VisibleEntry | undefined {
    if (this.#missingFolder !== undefined && path.startsWith(this.#missingFolder)) return undefined
    try {
      const stat = this.#fs.lstatSync(this.#absolute(path))
      const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other'
      return { kind, size: stat.size, mtimeMs: Math.trunc(stat.mtimeMs) }
    } catch (error) {
      const code = codeOf(error)
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
      this.#findMissingFolder(path)
      return undefined
    }
  }

  /** A file in a new folder is looked for once for the whole folder. */
  #findMissingFolder(path: string): void {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    if (folder !== '' && this.#fs.statSync(this.#absolute(folder), { throwIfNoEntry: false }) === undefined)
      this.#missingFolder = folder
  }

  matches(spans: readonly TargetSpan[], hash: HashName): boolean[] {
    const { leaf } = treeHash(hash)
    return spans.map((span) => {
      const bytes = this.#read(span)
      return bytes !== undefined && Buffer.compare(leaf(bytes), span.leaf) === 0
    })
  }

  #read({ path, fileOffset, length }: TargetSpan): Uint8Array | undefined {
    try {
      return this.#withFile(path, READ, (handle) => {
        const bytes = new Uint8Array(length)
        return this.#fs.readSync(handle, bytes, 0, length, fileOffset) === length ? bytes : undefined
      })
    } catch {
      // Gone or unreadable: it cannot be confirmed to be the same.
      return undefined
    }
  }

  freeBytes(): number {
    const { bavail, bsize } = this.#fs.statfsSync(this.#existingFolder())
    return Number(bavail) * Number(bsize)
  }

  /** The root, or the folder in which it will be made. */
  #existingFolder(): string {
    let folder = this.#root
    while (folder !== '/' && this.#fs.statSync(folder, { throwIfNoEntry: false }) === undefined) {
      const parent = folder.slice(0, Math.max(1, folder.lastIndexOf('/')))
      if (parent === folder) break
      folder = parent
    }
    return folder
  }

  setAttributes(entries: readonly EntryAttributes[], keeps: KeptAttributes): void {
    for (const entry of entries) {
      try {
        this.#withFile(entry.path, READ, (handle) => {
          if (keeps.permissions) this.#fs.fchmodSync(handle, permissionsOf(entry, keeps))
          this.#fs.futimesSync(handle, entry.mtimeMs / 1000, entry.mtimeMs / 1000)
        })
      } catch {
        // Somebody else's folder, or gone by now: all files in it are in place, and that is what was promised.
      }
    }
  }

  #withFile<Result>(path: string, flags: number, work: (handle: number) => Result): Result {
    const handle = this.#fs.openSync(this.#absolute(path), flags)
    try {
      return work(handle)
    } finally {
      this.#fs.closeSync(handle)
    }
  }

  #absolute(path: string): string {
    return `${this.#root}/${path}`
  }
}
