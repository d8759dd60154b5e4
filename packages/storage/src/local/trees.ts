import fs from 'node:fs'
import { KiB, MiB } from '@godwit/base'
import { StorageError } from '../errors.ts'
import { isHiddenName, joinKey } from '../keys.ts'
import type { Progress } from '../progress.ts'
import { errnoOf, unless } from './disk-errors.ts'
import type { Disk, DiskStat } from './disk.ts'
import { FILE_MODE, FOLDER_MODE, type Folders, type OpenFolder } from './folders.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_NONBLOCK, O_WRONLY } = fs.constants

/** One step of a copy: progress and cancelling happen in between. */
const STEP_BYTES = 4 * MiB
/** Shorter files are copied in the time that an attempt to share their blocks takes. */
const CLONE_FROM = 64 * KiB
/** Flush while copying, so that the last flush of a big file is short. */
const FLUSH_EVERY_BYTES = 64 * MiB

export interface TreeDeps {
  readonly disk: Disk
  readonly folders: Folders
  /** @throws StorageError 'no-space' */
  readonly admit: (byteCount: number) => Promise<void>
  /** Refuses to read a file that has another name (a hard link). @throws StorageError 'permission' */
  readonly checkReadable: (file: number) => Promise<unknown>
  /** Devices known not to support shared blocks. */
  readonly plainDevices: Set<number>
}

/** Removes what is in a folder, deepest first. Links are removed, never followed. */
async function emptyFolder(deps: TreeDeps, key: string, progress: Progress): Promise<void> {
  await deps.folders.inside(key, async (folder) => {
    for (const entry of await deps.disk.list(folder.at)) {
      progress.signal?.throwIfAborted()
      if (entry.kind === 'folder') {
        await emptyFolder(deps, joinKey(key, entry.name), progress)
        await unless(['ENOENT'], deps.disk.removeFolder(`${folder.at}/${entry.name}`))
        progress.add({ folders: 1 })
      } else {
        await removeFile(deps.disk, `${folder.at}/${entry.name}`, progress)
      }
    }
  })
}

async function removeFile(disk: Disk, path: string, progress: Progress): Promise<void> {
  const stat = await unless(['ENOENT'], disk.stat(path))
  if (stat === undefined) return
  await unless(['ENOENT'], disk.unlink(path))
  progress.add({ files: 1, bytes: stat.size })
}

/** Removes a file or a tree and makes that durable. @throws disk errors; StorageError 'not-found' */
export async function removeTree(deps: TreeDeps, key: string, progress: Progress): Promise<void> {
  const { disk, folders } = deps
  await folders.beside(key, async (path, folder) => {
    const { kind } = await disk.stat(path)
    if (kind === 'other') throw new StorageError('not-found', { key })
    if (kind === 'file') {
      await removeFile(disk, path, progress)
    } else {
      await emptyFolder(deps, key, progress)
      await disk.removeFolder(path)
      progress.add({ folders: 1 })
    }
    await disk.flushFolder(folder.file)
  })
}

/** Copies a file or a tree to a name that does not exist yet, every byte and name durable. Links are left out. */
export async function copyTree(deps: TreeDeps, from: string, to: string, progress: Progress): Promise<void> {
  await deps.folders.besideBoth(from, to, async (source, target) => {
    const stat = await deps.disk.stat(source.path)
    if (stat.kind === 'other') throw new StorageError('not-found', { key: from })
    if (stat.kind === 'file') {
      await copyFile(deps, source.path, target.path, progress)
      return
    }
    await deps.disk.makeFolder(target.path, FOLDER_MODE)
    progress.add({ folders: 1 })
    await deps.folders.inside(from, (fromFolder) =>
      deps.folders.inside(to, async (toFolder) => {
        await copyEntries(deps, fromFolder, toFolder, progress)
        await deps.disk.flushFolder(toFolder.file)
      }),
    )
  })
}

async function copyEntries(deps: TreeDeps, from: OpenFolder, to: OpenFolder, progress: Progress): Promise<void> {
  for (const { name, kind } of await deps.disk.list(from.at)) {
    if (isHiddenName(name)) continue
    if (kind === 'folder') await copyTree(deps, joinKey(from.key, name), joinKey(to.key, name), progress)
    if (kind === 'file') await copyFile(deps, `${from.at}/${name}`, `${to.at}/${name}`, progress)
  }
}

async function copyFile(deps: TreeDeps, from: string, to: string, progress: Progress): Promise<void> {
  const { disk } = deps
  progress.signal?.throwIfAborted()
  const source = await disk.open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    await deps.checkReadable(source)
    const stat = await disk.statFile(source)
    const isCloned = await clone(deps, { source, stat, to })
    if (!isCloned) await deps.admit(stat.size)
    const how = isCloned ? O_WRONLY | O_NOFOLLOW : O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    const target = await disk.open(to, how, FILE_MODE)
    try {
      if (isCloned) progress.add({ bytes: stat.size })
      else await copyBytes(disk, { source, target, size: stat.size }, progress)
      await disk.setModified(target, stat.modifiedMs)
      await disk.flush(target)
    } finally {
      await disk.close(target)
    }
    progress.add({ files: 1 })
  } finally {
    await disk.close(source)
  }
}

interface Clone {
  readonly source: number
  readonly stat: DiskStat
  readonly to: string
}

/** Shares the blocks of the source with the copy (XFS, Btrfs, ZFS): no data is read or written. */
async function clone({ disk, plainDevices }: TreeDeps, { source, stat, to }: Clone): Promise<boolean> {
  if (stat.size < CLONE_FROM || plainDevices.has(stat.device)) return false
  try {
    await disk.clone(source, to, FILE_MODE)
    return true
  } catch (error) {
    const code = errnoOf(error) ?? ''
    // It never works between two filesystems, so this says nothing about either of them.
    if (code === 'EXDEV') return false
    if (!['EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'ENOTTY', 'ENOSYS'].includes(code)) throw error
    plainDevices.add(stat.device)
    return false
  }
}

interface CopyJob {
  readonly source: number
  readonly target: number
  readonly size: number
}

async function copyBytes(disk: Disk, job: CopyJob, progress: Progress): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(STEP_BYTES, Math.max(1, job.size)))
  let unflushed = 0
  for (let at = 0; at < job.size;) {
    const count = await disk.read(job.source, buffer, at)
    // Truncated by someone else meanwhile: the copy is as long as the file was.
    if (count === 0) throw new StorageError('conflict')
    for (let done = 0; done < count;) done += await disk.write(job.target, [buffer.subarray(done, count)], at + done)
    at += count
    unflushed += count
    if (unflushed >= FLUSH_EVERY_BYTES) {
      await disk.flush(job.target)
      unflushed = 0
    }
    progress.add({ bytes: count })
  }
}
