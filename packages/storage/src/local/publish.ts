import { StorageError } from '../errors.ts'
import type { OnConflict } from '../object-store.ts'
import { errnoOf, unless } from './disk-errors.ts'
import type { Disk, DiskStat } from './disk.ts'
import type { EntryPlace } from './folders.ts'

/** Inodes that have two names for a moment because we are giving them a new one. */
export type Relinking = Map<number, number>

export interface PublishDeps {
  readonly disk: Disk
  readonly relinking: Relinking
}

/**
 * Gives an entry its new name in one atomic, durable step and takes the old one away.
 * Node has no renameat2(RENAME_NOREPLACE), but link(2) refuses a taken name, so a file that must not replace is linked and
 * then unlinked. A crash in between leaves two names of one file; doing it again finishes it.
 * A folder cannot be linked: rename(2) refuses a folder that is not empty, so at worst an empty folder that appeared in the
 * last instant is replaced by ours, and nothing is lost.
 * @throws disk errors untranslated; StorageError 'exists', 'is-folder', 'not-a-folder', 'io' when the folder's flush fails
 */
export async function publish(deps: PublishDeps, from: EntryPlace, to: EntryPlace, how: PublishHow): Promise<void> {
  const source = await deps.disk.stat(from.path)
  if (source.kind === 'file' && how.conflict === 'fail') return relink(deps, { from, to, source, flush: how.flush })
  const taken = await unless(['ENOENT'], deps.disk.stat(to.path))
  if (taken !== undefined) checkReplaceable(source, taken, how.conflict)
  await deps.disk.rename(from.path, to.path)
  if (how.flush) await flushNames(deps.disk, to)
}

/** @throws StorageError 'io': whether the name would survive a power cut is unknown, and a second flush would not show it */
async function flushNames(disk: Disk, to: EntryPlace): Promise<void> {
  try {
    await disk.flushFolder(to.folder.file)
  } catch (cause) {
    throw new StorageError('io', { cause })
  }
}

export interface PublishHow {
  readonly conflict: OnConflict
  /** Make the new name durable before the old one is removed. Otherwise the caller flushes the target folder afterwards. */
  readonly flush: boolean
}

interface Relink {
  readonly from: EntryPlace
  readonly to: EntryPlace
  readonly source: DiskStat
  readonly flush: boolean
}

async function relink(deps: PublishDeps, { from, to, source, flush }: Relink): Promise<void> {
  const { disk, relinking } = deps
  relinking.set(source.inode, (relinking.get(source.inode) ?? 0) + 1)
  try {
    try {
      await disk.link(from.path, to.path)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST' || !(await isSameFile(disk, to.path, source))) throw error
    }
    if (flush) await flushLink(disk, to)
    // An operator's command that opened the store meanwhile took this for the remains of a crash, and finished it.
    await unless(['ENOENT'], disk.unlink(from.path))
  } finally {
    const others = (relinking.get(source.inode) ?? 1) - 1
    if (others === 0) relinking.delete(source.inode)
    else relinking.set(source.inode, others)
  }
}

/** The name has not been reported yet, so it is removed again when its durability is unknown. */
async function flushLink(disk: Disk, to: EntryPlace): Promise<void> {
  try {
    await flushNames(disk, to)
  } catch (error) {
    await disk.unlink(to.path).catch(() => {}) // The failure of the flush is the one to report.
    throw error
  }
}

async function isSameFile(disk: Disk, path: string, source: DiskStat): Promise<boolean> {
  const found = await disk.stat(path)
  return found.inode === source.inode && found.device === source.device
}

function checkReplaceable(source: DiskStat, taken: DiskStat, conflict: OnConflict): void {
  if (conflict === 'fail') throw new StorageError('exists')
  if (source.kind === 'file' && taken.kind === 'folder') throw new StorageError('is-folder')
  if (source.kind === 'folder' && taken.kind !== 'folder') throw new StorageError('not-a-folder')
}
