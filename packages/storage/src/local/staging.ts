import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { randomHex, type Random } from '@godwit/base'
import { StorageError } from '../errors.ts'
import { checkKey, folderOf, HIDDEN_FOLDER, joinKey } from '../keys.ts'
import { errnoOf, unless } from './disk-errors.ts'
import type { Disk } from './disk.ts'
import { FILE_MODE, type Folders } from './folders.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants

/** 128 random bits. An id from outside is only ever used after this check, so it can never be part of a path. */
const ID = /^[0-9a-f]{32}$/

/**
 * Where entries are prepared before they become visible: `.godwit/parts/<id>`, on the filesystem of their target, because link and
 * rename do not cross filesystems. The storage's own root serves all of it but for filesystems mounted below: there the
 * topmost folder on the same filesystem gets a hidden folder too, remembered in `.godwit/places` for the sweeper.
 */
export class Staging {
  readonly #disk: Disk
  readonly #folders: Folders
  readonly #random: Random
  readonly #ready = new Set<string>()

  constructor(disk: Disk, folders: Folders, random: Random) {
    this.#disk = disk
    this.#folders = folders
    this.#random = random
  }

  newId(): string {
    return randomHex(this.#random, 16)
  }

  /** Key of a hidden entry. @throws StorageError 'upload-gone' for an id that no store ever made */
  key(base: string, id: string): string {
    if (!ID.test(id)) throw new StorageError('upload-gone')
    checkKey(base)
    return joinKey(base, `${HIDDEN_FOLDER}/parts/${id}`)
  }

  /** The base for entries that will end up in `folder`, with its hidden folder created. */
  async baseFor(folder: string): Promise<string> {
    const base = await this.#topOfFilesystem(folder)
    if (!this.#ready.has(base)) await this.#prepare(base)
    return base
  }

  /** Every base ever used that still exists. */
  async bases(): Promise<string[]> {
    const places = await unless(
      ['ENOENT'],
      this.#folders.inside(PLACES, (folder) => this.#disk.list(folder.at)),
    )
    const keys = await Promise.all((places ?? []).map((place) => this.#readPlace(place.name)))
    return ['', ...keys.filter((key) => key !== undefined)]
  }

  /** Ids of everything hidden at a base. */
  async ids(base: string): Promise<string[]> {
    const parts = joinKey(base, `${HIDDEN_FOLDER}/parts`)
    const entries = await unless(
      ['ENOENT'],
      this.#folders.inside(parts, (folder) => this.#disk.list(folder.at)),
    )
    return (entries ?? []).map((entry) => entry.name).filter((name) => ID.test(name))
  }

  /** Makes the hidden folders of a base. */
  async #prepare(base: string): Promise<void> {
    await this.#folders.makeAll(joinKey(base, `${HIDDEN_FOLDER}/parts`))
    if (base !== '') await this.#rememberPlace(base)
    this.#ready.add(base)
  }

  async #topOfFilesystem(folder: string): Promise<string> {
    const [root, nearest] = await Promise.all([this.#folders.nearest(''), this.#folders.nearest(folder)])
    if (nearest.stat.device === root.stat.device) return ''
    let top = nearest.key
    for (let above = folderOf(top); above !== ''; above = folderOf(above)) {
      if ((await this.#folders.nearest(above)).stat.device !== nearest.stat.device) break
      top = above
    }
    return top
  }

  async #rememberPlace(base: string): Promise<void> {
    await this.#folders.makeAll(PLACES)
    await this.#folders.inside(PLACES, async (folder) => {
      const path = `${folder.at}/${createHash('sha256').update(base).digest('hex')}`
      try {
        const file = await this.#disk.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE)
        try {
          await this.#disk.write(file, [Buffer.from(base)], 0)
          await this.#disk.flush(file)
        } finally {
          await this.#disk.close(file)
        }
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error
      }
      await this.#disk.flushFolder(folder.file)
    })
  }

  async #readPlace(name: string): Promise<string | undefined> {
    return this.#folders.inside(PLACES, async (folder) => {
      const file = await this.#disk.open(`${folder.at}/${name}`, O_RDONLY | O_NOFOLLOW)
      try {
        const text = Buffer.alloc(4096)
        const key = text.toString('utf8', 0, await this.#disk.read(file, text, 0))
        const digest = createHash('sha256').update(key).digest('hex')
        // Half written when the power failed: the base had not been used yet.
        return digest === name ? key : undefined
      } finally {
        await this.#disk.close(file)
      }
    })
  }
}

const PLACES = `${HIDDEN_FOLDER}/places`
