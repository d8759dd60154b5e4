import fs from 'node:fs'
import { endianness } from 'node:os'
import { promisify } from 'node:util'
import type { Clock } from '@godwit/base'
import type { Disk, DiskEntry, DiskPage, DiskStat, OpenPlace } from './disk.ts'
import type { LinuxCalls } from './ffi/linux-calls.ts'
import { readLinuxFolder, type FolderSystem } from './linux-folder.ts'
import { readFolder } from './read-folder.ts'
import { statMany } from './stat-many.ts'

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

/** Linux: a descriptor's link in /proc resolves to its real path, and can replace it in a path. */
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux'

/** The real filesystem. Callback functions of node:fs: their promise twins cost a FileHandle per file. */
export function nodeDisk(clock: Clock): Disk {
  // Loading takes about 30 ms, so it must not delay the first listing.
  void linuxCalls()
  return {
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
    pages: pagesOf,
    statMany: async (folder, names, signal) =>
      statMany({ clock, linux: await linuxCalls() }, { folder, names, signal }),
    realPath: (path) => realpath(path),
    pathOf: (folder, path) => (HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${folder}` : path),
    placeOf: (folder, path) => (HAS_DESCRIPTOR_PATHS ? readlink(`/proc/self/fd/${folder}`) : realpath(path)),
    space: async (path) => {
      const { bavail, blocks, bsize } = await statfs(path)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },
  }
}

function entriesOf(path: string): AsyncIterable<DiskEntry[]> {
  return readFolder(path, (entry) => ({ name: entry.name, kind: kindOf(entry) }))
}

async function* pagesOf(folder: OpenPlace): AsyncGenerator<DiskPage> {
  const linux = await linuxCalls()
  const pages = linux && (await readLinuxFolder(folderSystem(linux), folder))
  if (pages) yield* pages
  else for await (const entries of entriesOf(folder.at)) yield { plain: undefined, entries }
}

function folderSystem(linux: LinuxCalls): FolderSystem {
  return {
    read: linux.readEntries,
    kindOf: async (path) => kindOf(await lstat(path)),
  }
}

let loading: Promise<LinuxCalls | undefined> | undefined

/** undefined on other systems, and on Linux where the C library cannot be called: Node's own calls then do the same. */
function linuxCalls(): Promise<LinuxCalls | undefined> {
  loading ??=
    process.platform === 'linux' && endianness() === 'LE'
      ? import('./ffi/linux-calls.ts').then(({ loadLinuxCalls }) => loadLinuxCalls()).catch(() => undefined)
      : Promise.resolve(undefined)
  return loading
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
