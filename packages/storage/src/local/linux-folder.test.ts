import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { constants } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { KiB, systemClock } from '@godwit/base'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KIND_FILE, KIND_FOLDER } from '../object-store.ts'
import { systemError } from '../testing/memory-disk.ts'
import { temporaryStore, type TemporaryStore } from '../testing/temporary-store.ts'
import type { DiskPage } from './disk.ts'
import { laterHalves } from './ext4-halves.ts'
import { readLinuxFolder, type FolderSystem } from './linux-folder.ts'
import { linuxRecord } from './linux-records.ts'
import { nodeDisk } from './node-disk.ts'

const NAMES = ['a', 'Plan 2.dwg', '文件.txt', '.hidden', '.godwit-not', 'back\\slash', 'café', 'tab\there', '~', '�']

/** The answers of a kernel, one a call. */
function kernel(...answers: ReadonlyArray<readonly Uint8Array[] | number>): FolderSystem {
  const left = [...answers]
  return {
    read(_folder, into) {
      const answer = left.shift() ?? 0
      if (typeof answer === 'number') return Promise.resolve(answer)
      into.set(Buffer.concat(answer))
      return Promise.resolve(Buffer.concat(answer).length)
    },
    kindOf: () => Promise.resolve('file'),
    openLaterHalf: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
}

const FOLDER = { file: 0, at: '/folder' }

function entriesOf({ plain, entries }: DiskPage): Array<readonly [string, string]> {
  const text = Buffer.from(plain?.names.bytes ?? []).toString()
  const ends = [...(plain?.names.ends ?? [])]
  const plainOnes = ends.map((end, at): [string, string] => [
    text.slice(ends[at - 1] ?? 0, end),
    plain?.kinds[at] === KIND_FILE ? 'file' : 'folder',
  ])
  return [...plainOnes, ...entries.map(({ name, kind }): [string, string] => [name, kind])]
}

describe('what the kernel says of a folder', () => {
  it('is taken apart: plain names packed, all others one by one, the folder itself left out', async () => {
    const batch = [
      linuxRecord({ name: '.', type: 4 }),
      linuxRecord({ name: '..', type: 4 }),
      linuxRecord({ name: 'b', type: 8 }),
      linuxRecord({ name: '文', type: 8 }),
      linuxRecord({ name: 'c c', type: 4 }),
      linuxRecord({ name: 'link', type: 10 }),
    ]
    const pages = await readLinuxFolder(kernel(batch, [linuxRecord({ name: 'd', type: 8 })], 0), FOLDER)
    const [first, second, ...more] = await Array.fromAsync(pages ?? [])
    expect(more).toEqual([])
    expect(first?.plain?.kinds).toEqual(Uint8Array.of(KIND_FILE, KIND_FOLDER))
    expect(first && entriesOf(first)).toEqual([
      ['b', 'file'],
      ['c c', 'folder'],
      ['文', 'file'],
      ['link', 'other'],
    ])
    expect(second && entriesOf(second)).toEqual([['d', 'file']])
  })
  it('is completed by asking for the types that the filesystem does not keep', async () => {
    const asked: string[] = []
    const gone = systemError('ENOENT', 'lstat')
    const system: FolderSystem = {
      ...kernel(
        [linuxRecord({ name: '.', type: 0 }), linuxRecord({ name: 'x', type: 0 }), linuxRecord({ name: 'y', type: 0 })],
        0,
      ),
      kindOf(at) {
        asked.push(at)
        return at.endsWith('y') ? Promise.reject(gone) : Promise.resolve('folder')
      },
    }
    const pages = await readLinuxFolder(system, FOLDER)
    const found = (await Array.fromAsync(pages ?? [])).flatMap(entriesOf)
    expect(asked).toEqual(['/folder/x', '/folder/y'])
    expect(found).toEqual([['x', 'folder']])
  })
  it('fails when the folder cannot be read on, and leaves a first failure to be found out otherwise', async () => {
    const pages = await readLinuxFolder(kernel([linuxRecord({ name: 'x', type: 8 })], -1), FOLDER)
    await expect(Array.fromAsync(pages ?? [])).rejects.toMatchObject({ code: 'EIO' })
    expect(await readLinuxFolder(kernel(-1), FOLDER)).toBeUndefined()
  })
})

/** A folder in the order of ext4: by hash, where several names may have the same; and the descriptors that read it. */
class HashedFolder implements FolderSystem {
  readonly names: string[]
  readonly open = new Set([FOLDER.file])
  opened = 1
  /** An entry that is removed when the first descriptor comes to it. */
  removed: number | undefined
  readonly openLaterHalf: FolderSystem['openLaterHalf']
  readonly kindOf = (): Promise<'file'> => Promise.resolve('file')
  readonly #places: readonly number[]
  readonly #at = [0]

  constructor(places: readonly number[]) {
    this.#places = places.toSorted((left, right) => left - right)
    this.names = this.#places.map((place, at) => `${at} at ${place} `.padEnd(220, '-'))
    this.openLaterHalf = laterHalves({
      open: () => {
        this.opened++
        this.open.add(this.#at.length)
        return Promise.resolve(this.#at.push(0) - 1)
      },
      close: (file) => this.close(file),
      statfs: () => Promise.resolve({ type: 0xef53 }),
      seek: (file, offset) => {
        const from = this.#places.findIndex((place) => BigInt(place) << 32n >= offset)
        this.#at[file] = from < 0 ? this.#places.length : from
        return true
      },
    })
  }

  readonly read: FolderSystem['read'] = (file, into) => {
    if (!this.open.has(file)) throw systemError('EBADF', 'getdents64')
    let size = 0
    if (file === FOLDER.file && this.#at[file] === this.removed) this.#at[file] = (this.removed ?? 0) + 1
    for (let at = this.#at[file] ?? 0; at < this.names.length; at++) {
      const record = linuxRecord({ name: this.names[at] ?? '', type: 8, next: this.#places[at + 1] ?? 2 ** 31 - 1 })
      if (size + record.length > into.length) break
      into.set(record, size)
      size += record.length
      this.#at[file] = at + 1
    }
    return Promise.resolve(size)
  }

  readonly close: FolderSystem['close'] = (file) => {
    this.open.delete(file)
    return Promise.resolve()
  }
}

describe('a big folder in the order of a hash', () => {
  const places = fc
    .tuple(fc.integer({ min: 3_000, max: 9_000 }), fc.integer({ min: 1, max: 2 ** 31 - 2 }))
    .chain(([count, most]) => fc.array(fc.nat(most), { minLength: count, maxLength: count, size: 'max' }))

  it('is read in two halves, each name once, wherever the hashes lie and whichever are the same', async () => {
    const check = fc.asyncProperty(places, async (hashes) => {
      const folder = new HashedFolder(hashes)
      const found = (await Array.fromAsync((await readLinuxFolder(folder, FOLDER)) ?? [])).flatMap(entriesOf)
      expect(found.map(([name]) => name).toSorted()).toEqual(folder.names.toSorted())
      expect(folder.opened).toBe(2)
      expect([...folder.open]).toEqual([FOLDER.file])
    })
    await fc.assert(check, { numRuns: 20 })
  })
  it('has each name once although the last one of a half is removed while it is the next to be read', async () => {
    const perBatch = Math.floor((512 * KiB) / linuxRecord({ name: '-'.repeat(220), type: 8 }).length)
    const [early, late] = [2 * perBatch + 1, 3_000].map((count) => Array.from({ length: count }, (_, at) => at))
    const folder = new HashedFolder([...(early ?? []), ...(late ?? []).map((at) => 2 ** 30 + 2 ** 29 + at)])
    folder.removed = 2 * perBatch
    const found = (await Array.fromAsync((await readLinuxFolder(folder, FOLDER)) ?? [])).flatMap(entriesOf)
    const left = folder.names.filter((_, at) => at !== folder.removed)
    expect(found.map(([name]) => name).toSorted()).toEqual(left.toSorted())
  })
  it('is read by one descriptor where there is no second one, or the filesystem is another one', async () => {
    const hashes = Array.from({ length: 6_000 }, (_, at) => at * 300_000)
    const none = systemError('EMFILE', 'open')
    const calls = { open: () => Promise.reject(none), close: () => Promise.resolve(), seek: () => true }
    const halves = [
      laterHalves({ ...calls, statfs: () => Promise.resolve({ type: 0xef53 }) }),
      laterHalves({ ...calls, statfs: () => Promise.resolve({ type: 0x58465342 }) }),
      laterHalves({
        ...calls,
        open: () => Promise.resolve(1),
        statfs: () => Promise.resolve({ type: 0xef53 }),
        seek: () => false,
      }),
    ]
    for (const openLaterHalf of halves) {
      const folder = new HashedFolder(hashes)
      const pages = await readLinuxFolder({ ...folder, openLaterHalf }, FOLDER)
      const found = (await Array.fromAsync(pages ?? [])).flatMap(entriesOf)
      expect(found.map(([name]) => name)).toEqual(folder.names)
    }
  })
  it('has closed its second descriptor when one half fails, and when it is left in the middle', async () => {
    const folder = new HashedFolder(Array.from({ length: 9_000 }, (_, at) => at * 200_000))
    const read: FolderSystem['read'] = (file, into) =>
      file === FOLDER.file ? folder.read(file, into) : Promise.resolve(-1)
    const failing = { ...folder, read }
    await expect(Array.fromAsync((await readLinuxFolder(failing, FOLDER)) ?? [])).rejects.toMatchObject({ code: 'EIO' })
    expect([...folder.open]).toEqual([FOLDER.file])
    const other = new HashedFolder(Array.from({ length: 9_000 }, (_, at) => at * 200_000))
    for await (const page of (await readLinuxFolder(other, FOLDER)) ?? []) {
      expect(entriesOf(page).length).toBeGreaterThan(0)
      break
    }
    expect([...other.open]).toEqual([FOLDER.file])
  })
})

describe('a folder of the disk', () => {
  let temporary: TemporaryStore
  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.close())

  it('lists the same as Node itself, whatever the names', async () => {
    const { root, store } = temporary
    for (const name of NAMES) await fs.writeFile(path.join(root, name), '')
    await fs.mkdir(path.join(root, 'folder'))
    await promisify(execFile)('mkfifo', [path.join(root, 'pipe')])
    await fs.writeFile(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.of(0xff)]), '')
    const pages = await Array.fromAsync(store.list(''))
    const names = pages.flatMap((page) => page.names)
    const reachable = [...NAMES.filter((name) => !name.includes('\\')), 'folder']
    expect(names.toSorted()).toEqual(reachable.toSorted())
    expect(pages.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(3)
    const kinds = new Map(pages.flatMap((page) => page.names.map((name, at) => [name, page.kinds[at]] as const)))
    expect(kinds.get('folder')).toBe(KIND_FOLDER)
    expect(kinds.get('文件.txt')).toBe(KIND_FILE)
  })
  it('lists 30,000 names whole, and may be left in the middle', async () => {
    const { root, store } = temporary
    const names = Array.from({ length: 30_000 }, (_, at) => `entry ${at}.dat`)
    for (let at = 0; at < names.length; at += 1000) {
      await Promise.all(names.slice(at, at + 1000).map((name) => fs.writeFile(path.join(root, name), '')))
    }
    const found = (await Array.fromAsync(store.list(''))).flatMap((page) => page.names)
    expect(found.toSorted()).toEqual(names.toSorted())
    for await (const page of store.list('')) {
      expect(page.names.length).toBeGreaterThan(0)
      break
    }
    // The descriptor was closed after the reading under way, so the next one finds the folder whole again.
    expect((await Array.fromAsync(store.list(''))).flatMap((page) => page.names)).toHaveLength(names.length)
  })
  it('is read as bytes on Linux', async () => {
    await fs.writeFile(path.join(temporary.root, 'plain'), '')
    const disk = nodeDisk(systemClock)
    const file = await disk.open(temporary.root, constants.O_RDONLY | constants.O_DIRECTORY)
    const pages = await Array.fromAsync(disk.pages({ file, at: temporary.root }))
    await disk.close(file)
    expect(pages.some(({ plain }) => plain !== undefined)).toBe(process.platform === 'linux')
    expect(pages.flatMap(entriesOf)).toContainEqual(['plain', 'file'])
  })
})
