import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { constants } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KIND_FILE, KIND_FOLDER } from '../object-store.ts'
import { systemError } from '../testing/memory-disk.ts'
import { temporaryStore, type TemporaryStore } from '../testing/temporary-store.ts'
import type { DiskPage } from './disk.ts'
import { readLinuxFolder, type FolderSystem } from './linux-folder.ts'
import { nodeDisk } from './node-disk.ts'

const NAMES = ['a', 'Plan 2.dwg', '文件.txt', '.hidden', '.godwit-not', 'back\\slash', 'café', 'tab\there', '~', '�']

/** A `struct linux_dirent64` as the kernel writes it, rounded up to eight bytes. */
function linuxRecord({ name, type }: { readonly name: string; readonly type: number }): Buffer {
  const bytes = Buffer.alloc(Math.ceil((20 + Buffer.byteLength(name)) / 8) * 8)
  bytes.writeUInt16LE(bytes.length, 16)
  bytes[18] = type
  bytes.write(name, 19)
  return bytes
}

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

describe('what the kernel reports of a folder', () => {
  it('is parsed: plain names packed, all others one by one, the folder itself left out', async () => {
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
