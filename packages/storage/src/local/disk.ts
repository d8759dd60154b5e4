import fs from 'node:fs'
import { promisify } from 'node:util'
import type { Clock } from '@godwit/base'
import type { EntryColumns } from '../object-store.ts'
import { readFolder } from './read-folder.ts'
import { statMany } from './stat-many.ts'

/** What the local provider needs to know of an entry. Times in Unix milliseconds. */
export interface DiskStat {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly modifiedMs: number
  readonly bornMs: number
  readonly inode: number
  readonly device: number
  /** Names the file has. */
  readonly links: number
}

export interface DiskEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

/**
 * The filesystem calls of the local provider, one method per call, so that a test can count, fail and order them.
 * Every method rejects with Node's error (`code`, `syscall`) and none retries anything.
 */
export interface Disk {
  open(path: string, flags: number, mode?: number): Promise<number>
  /** Like open(), for writes of whole sectors past the page cache. EINVAL where system or filesystem have no such thing. */
  openDirect(path: string, flags: number): Promise<number>
  close(file: number): Promise<void>
  /** @returns bytes read, 0 at the end */
  read(file: number, into: Uint8Array, position: number): Promise<number>
  /** May write less than given. @returns bytes written */
  write(file: number, chunks: readonly Uint8Array[], position: number): Promise<number>
  /**
   * Makes a new file that shares the blocks of an open one until either is written to. EOPNOTSUPP, EXDEV, EINVAL or ENOTTY,
   * with nothing made, where system or filesystem have no such thing.
   */
  clone(file: number, to: string, mode: number): Promise<void>
  truncate(file: number, size: number): Promise<void>
  setModified(file: number, modifiedMs: number): Promise<void>
  /** fdatasync: contents and size. */
  flush(file: number): Promise<void>
  /** fsync of a folder: the names in it. */
  flushFolder(folder: number): Promise<void>
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  makeFolder(path: string, mode: number): Promise<void>
  removeFolder(path: string): Promise<void>
  /** Does not follow links. */
  stat(path: string): Promise<DiskStat>
  statFile(file: number): Promise<DiskStat>
  list(path: string): Promise<DiskEntry[]>
  /** As list(), in batches: a folder of a million entries is never in memory as a whole. */
  pages(path: string): AsyncIterable<DiskEntry[]>
  /** Kind, size and time of many entries of one folder. */
  statMany(folder: string, names: readonly string[], signal?: AbortSignal): Promise<EntryColumns>
  /** The path with every link on the way resolved. */
  realPath(path: string): Promise<string>
  /** A path that reaches an open folder by its descriptor, or its own path where the system has no such thing. */
  pathOf(folder: number, path: string): string
  /** Where an open folder really is. Without /proc: where its path leads now. */
  placeOf(folder: number, path: string): Promise<string>
  space(path: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>
}

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants
const open = promisify(fs.open)
const close = promisify(fs.close)
const truncate = promisify(fs.ftruncate)
const copyFile = promisify(fs.copyFile)
const chmod = promisify(fs.chmod)
const futimes = promisify(fs.futimes)
const fdatasync = promisify(fs.fdatasync)
const fsync = promisify(fs.fsync)
const link = promisify(fs.link)
const rename = promisify(fs.rename)
const unlink = promisify(fs.unlink)
const mkdir = promisify(fs.mkdir)
const rmdir = promisify(fs.rmdir)
const lstat = promisify(fs.lstat)
const fstat = promisify(fs.fstat)
const readlink = promisify(fs.readlink)
const realpath = promisify(fs.realpath.native)
const statfs = promisify(fs.statfs)

/** Linux: a descriptor's link in /proc tells where it is and stands for it in a path. */
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux'

/** The real filesystem. Callback functions of node:fs: their promise twins cost a FileHandle per file. */
export const nodeDisk = (clock: Clock): Disk => ({
  open: (path, flags, mode) => open(path, flags, mode),
  openDirect: async (path, flags) => {
    if (process.platform !== 'linux')
      throw Object.assign(new Error('no direct writes'), { code: 'EINVAL', syscall: 'open' })
    return open(path, flags | fs.constants.O_DIRECT)
  },
  close: (file) => close(file),
  read: (file, into, position) =>
    new Promise((resolve, reject) => {
      fs.read(file, into, 0, into.length, position, (error, count) => (error ? reject(error) : resolve(count)))
    }),
  write: (file, chunks, position) =>
    new Promise((resolve, reject) => {
      fs.writev(file, chunks, position, (error, count) => (error ? reject(error) : resolve(count)))
    }),
  clone: async (file, to, mode) => {
    if (!HAS_DESCRIPTOR_PATHS) throw Object.assign(new Error('no clones'), { code: 'EOPNOTSUPP', syscall: 'ioctl' })
    await copyFile(`/proc/self/fd/${file}`, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE)
    // The system gives the copy the mode of its source, which somebody else may have made.
    await chmod(to, mode)
  },
  truncate: (file, size) => truncate(file, size),
  setModified: (file, modifiedMs) => futimes(file, modifiedMs / 1000, modifiedMs / 1000),
  flush: (file) => fdatasync(file),
  flushFolder: (folder) => fsync(folder),
  link: (from, to) => link(from, to),
  rename: (from, to) => rename(from, to),
  unlink: (path) => unlink(path),
  makeFolder: async (path, mode) => {
    await mkdir(path, { mode })
  },
  removeFolder: (path) => rmdir(path),
  stat: async (path) => toStat(await lstat(path)),
  statFile: async (file) => toStat(await fstat(file)),
  list: async (path) => (await Array.fromAsync(entriesOf(path))).flat(),
  pages: entriesOf,
  statMany: (folder, names, signal) => statMany(clock, { folder, names, signal }),
  realPath: (path) => realpath(path),
  pathOf: (folder, path) => (HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${folder}` : path),
  placeOf: (folder, path) => (HAS_DESCRIPTOR_PATHS ? readlink(`/proc/self/fd/${folder}`) : realpath(path)),
  space: async (path) => {
    const { bavail, blocks, bsize } = await statfs(path)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
})

function entriesOf(path: string): AsyncIterable<DiskEntry[]> {
  return readFolder(path, (entry) => ({ name: entry.name, kind: kindOf(entry) }))
}

function toStat(stats: fs.Stats): DiskStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    modifiedMs: stats.mtimeMs,
    bornMs: stats.birthtimeMs,
    inode: stats.ino,
    device: stats.dev,
    links: stats.nlink,
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): DiskEntry['kind'] {
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'folder' : 'other'
}
