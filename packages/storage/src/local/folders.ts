import fs from 'node:fs'
import { StorageError } from '../errors.ts'
import { folderOf, nameOf } from '../keys.ts'
import { errnoOf, unless } from './disk-errors.ts'
import type { Disk, DiskStat } from './disk.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants

/** Folders of the product are closed to others; an umask may narrow this further. */
export const FOLDER_MODE = 0o750
export const FILE_MODE = 0o640

/**
 * A folder that is held open. `at` reaches it through its descriptor, so operations on `at/name` stay in this
 * very folder even if a folder on the way is replaced, by a link for example, after the check.
 */
export interface OpenFolder {
  readonly key: string
  readonly file: number
  readonly at: string
}

/**
 * Folders below a root, opened without following links. Node has no openat(2): a folder is opened by its whole path, its
 * descriptor is resolved to its real path, and used only if that is the expected one.
 * Without /proc (not Linux) the path is resolved before the operation instead; a link put there in between would be followed.
 */
export class Folders {
  readonly root: string
  readonly #disk: Disk

  /** @param root real, absolute path */
  constructor(disk: Disk, root: string) {
    this.#disk = disk
    this.root = root
  }

  /** Runs `work` inside a folder. @throws 'permission' when a link is on the way; disk errors untranslated */
  async inside<T>(key: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    const folder = await this.open(key)
    try {
      return await work(folder)
    } finally {
      await this.#disk.close(folder.file)
    }
  }

  /** Opens a folder; the caller closes its `file`. @throws as inside() */
  async open(key: string): Promise<OpenFolder> {
    const path = this.path(key)
    const file = await this.#disk.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    try {
      await this.#checkPlace(key, path, file)
      return { key, file, at: this.#disk.pathOf(file, path) }
    } catch (error) {
      await this.#disk.close(file)
      throw error
    }
  }

  /** Runs `work` inside the folder of an entry, with the entry's path there. */
  async beside<T>(key: string, work: (path: string, folder: OpenFolder) => Promise<T>): Promise<T> {
    return this.inside(folderOf(key), (folder) => work(`${folder.at}/${nameOf(key)}`, folder))
  }

  /** Runs `work` inside the folders of two entries, which may be the same one. */
  async besideBoth<T>(from: string, to: string, work: (from: EntryPlace, to: EntryPlace) => Promise<T>): Promise<T> {
    return this.beside(from, (fromPath, fromFolder) => {
      const source = { path: fromPath, folder: fromFolder }
      if (folderOf(from) === folderOf(to))
        return work(source, { path: `${fromFolder.at}/${nameOf(to)}`, folder: fromFolder })
      return this.beside(to, (toPath, toFolder) => work(source, { path: toPath, folder: toFolder }))
    })
  }

  /** Makes a folder durably if it is missing. Several callers at once are fine. */
  async make(key: string): Promise<void> {
    await this.beside(key, async (path, folder) => {
      try {
        await makeFolderDurably(this.#disk, path, folder.file)
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error
        const found = await this.#disk.stat(path)
        if (found.kind === 'folder') return
        throw new StorageError(found.kind === 'file' ? 'not-a-folder' : 'permission', { key, cause: error })
      }
    })
  }

  /** Makes a folder and all above it. */
  async makeAll(key: string): Promise<void> {
    if (key === '') return
    try {
      await this.make(key)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
      await this.makeAll(folderOf(key))
      await this.make(key)
    }
  }

  /** The nearest folder at or above `key` that exists, with what the disk says of it. */
  async nearest(key: string): Promise<{ readonly key: string; readonly stat: DiskStat }> {
    try {
      return await this.inside(key, async (folder) => ({ key, stat: await this.#disk.statFile(folder.file) }))
    } catch (error) {
      if (key === '' || errnoOf(error) !== 'ENOENT') throw error
      return this.nearest(folderOf(key))
    }
  }

  path(key: string): string {
    return key === '' ? this.root : `${this.root}/${key}`
  }

  async #checkPlace(key: string, path: string, file: number): Promise<void> {
    const place = await this.#disk.placeOf(file, path)
    if (place === path) return
    if (place.endsWith(' (deleted)')) throw new StorageError('not-found', { key })
    throw new StorageError('permission', { key })
  }
}

export interface EntryPlace {
  readonly path: string
  readonly folder: OpenFolder
}

/**
 * Makes a folder and flushes the one it is in. If that fails the new folder is removed again: it would look
 * like any other, and what is put into it could be lost with it.
 */
export async function makeFolderDurably(disk: Disk, path: string, above: number): Promise<void> {
  await disk.makeFolder(path, FOLDER_MODE)
  try {
    await disk.flushFolder(above)
  } catch (error) {
    await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EIO', 'EROFS'], disk.removeFolder(path))
    throw error
  }
}
