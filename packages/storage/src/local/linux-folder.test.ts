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
import { readLinuxFolder } from './linux-folder.ts'
import { linuxRecord } from './linux-records.ts'
import { nodeDisk } from './node-disk.ts'

const NAMES = ['a', 'Plan 2.dwg', '文件.txt', '.hidden', '.godwit-not', 'back\\slash', 'café', 'tab\there', '~', '�']

/** The answers of a kernel, one a call. */
function kernel(...answers: ReadonlyArray<readonly Uint8Array[] | number>) {
  const left = [...answers]
  return (_folder: number, into: Uint8Array): Promise<number> => {
    const answer = left.shift() ?? 0
    if (typeof answer === 'number') return Promise.resolve(answer)
    into.set(Buffer.concat(answer))
    return Promise.resolve(Buffer.concat(answer).length)
  }
}

const FOLDER = { file: 0, at: '/folder' }
const isFile = (): Promise<'file'> => Promise.resolve('file')

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
      linuxRecord('.', 4),
      linuxRecord('..', 4),
      linuxRecord('b', 8),
      linuxRecord('文', 8),
      linuxRecord('c c', 4),
      linuxRecord('link', 10),
    ]
    const pages = await readLinuxFolder(kernel(batch, [linuxRecord('d', 8)], 0), FOLDER, isFile)
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
    const pages = await readLinuxFolder(
      kernel([linuxRecord('.', 0), linuxRecord('x', 0), linuxRecord('y', 0)], 0),
      FOLDER,
      (at) => {
        asked.push(at)
        return at.endsWith('y') ? Promise.reject(gone) : Promise.resolve('folder')
      },
    )
    const found = (await Array.fromAsync(pages ?? [])).flatMap(entriesOf)
    expect(asked).toEqual(['/folder/x', '/folder/y'])
    expect(found).toEqual([['x', 'folder']])
  })
  it('fails when the folder cannot be read on, and leaves a first failure to be found out otherwise', async () => {
    const pages = await readLinuxFolder(kernel([linuxRecord('x', 8)], -1), FOLDER, isFile)
    await expect(Array.fromAsync(pages ?? [])).rejects.toMatchObject({ code: 'EIO' })
    expect(await readLinuxFolder(kernel(-1), FOLDER, isFile)).toBeUndefined()
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
