import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileItem } from '@godwit/contract'
import { MemoryDisk, MemorySource, MemoryTarget } from '@godwit/transfer/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  addingSource,
  type Decisions,
  describeConflicts,
  downloadPlaces,
  freeName,
  renamedIn,
  renamingTarget,
  replacingSource,
  uploadPlaces,
} from './conflicts.ts'

const TIME = 1_700_000_000_000
const DECISIONS: Decisions = new Map([
  ['album/replaced', { choice: 'replace', renamed: 'album/replaced (1)' }],
  ['album/both.jpg', { choice: 'keep-both', renamed: 'album/both (1).jpg' }],
  ['album/skipped', { choice: 'skip', renamed: 'album/skipped (1)' }],
  ['album/before', { choice: 'done', renamed: 'album/before (1)' }],
])

async function pathsOf(source: MemorySource, wrap: typeof addingSource): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { entry } of wrap(source, DECISIONS).list(() => undefined)) found.push(entry.path)
  return found
}

describe('what was decided about files that exist already', () => {
  const names = ['replaced', 'both.jpg', 'skipped', 'before', 'new']
  const source = new MemorySource(
    new Map(names.map((name) => [`album/${name}`, { bytes: new Uint8Array(3), mtimeMs: TIME }])),
  )

  it('sends what replaces others by itself, and the rest under its new names without what is skipped', async () => {
    expect(await pathsOf(source, replacingSource)).toEqual(['album/replaced'])
    const rest = await pathsOf(source, addingSource)
    expect(rest.filter((path) => path !== 'album')).toEqual(['album/both (1).jpg', 'album/new'])
  })

  it('writes what is fetched under its new names, and finds it again under the old ones', async () => {
    const disk = new MemoryDisk()
    const target = renamingTarget(new MemoryTarget(disk), renamedIn(DECISIONS))
    await target.open({ taskId: new Uint8Array(16), hash: 'blake3' })
    const entry = { kind: 'file', mtimeMs: TIME, mode: 0o644 } as const
    await target.makeEmpty([
      { ...entry, file: 0, path: 'album/both.jpg' },
      { ...entry, file: 1, path: 'album/new' },
    ])
    await target.commit()
    await target.close('interrupted')
    expect([...disk.files.keys()].toSorted()).toEqual(['album/both (1).jpg', 'album/new'])
    const again = renamingTarget(new MemoryTarget(disk), renamedIn(DECISIONS))
    const { files } = await again.open({ taskId: new Uint8Array(16), hash: 'blake3' })
    expect(files.map(({ path }) => path).toSorted()).toEqual(['album/both.jpg', 'album/new'])
    expect(await again.look(['album/both.jpg'])).toMatchObject([{ kind: 'file', size: 0 }])
    await again.close('complete')
  })
})

describe('both sides of a file that exists already', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-conflicts-'))
    mkdirSync(join(folder, 'album'))
    for (const name of ['a.jpg', 'a (2).jpg']) {
      writeFileSync(join(folder, 'album', name), 'here')
      utimesSync(join(folder, 'album', name), TIME / 1000, TIME / 1000)
    }
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const asked: string[] = []
  const item = (name: string): FileItem => ({ name, file_type: 'File', size: 9, time: 5, path: `/${name}` })
  const api = {
    list(_place: object, path: string, cursor: string | null) {
      asked.push(path)
      const items = cursor === null ? [item('A (1).jpg'), item('other')] : [item('a.jpg')]
      return Promise.resolve({ items, next: cursor === null ? 'more' : null })
    },
  }
  const here = { size: 4, mtimeMs: TIME }
  const there = { size: 9, mtimeMs: 5000 }

  it('are found page after page, with a name that neither side has', async () => {
    const places = uploadPlaces([join(folder, 'album')], '/target')
    const found = await describeConflicts(api, { spaceId: 1, groupId: 0 }, { paths: ['album/a.jpg'], places })
    expect(found).toEqual([{ path: 'album/a.jpg', incoming: here, existing: there, renamed: 'album/a (3).jpg' }])
    expect(asked.splice(0)).toEqual(['/target/album', '/target/album'])
  })

  it('are the other way round for a download', async () => {
    const places = downloadPlaces(['/far/album'], folder)
    const found = await describeConflicts(api, { spaceId: 1, groupId: 0 }, { paths: ['album/a.jpg'], places })
    expect(found).toMatchObject([{ path: 'album/a.jpg', incoming: there, existing: here }])
    expect(asked.splice(0)).toEqual(['/far/album', '/far/album'])
  })

  it('are in the folders that files at the top of a transfer come from', () => {
    expect(downloadPlaces(['/far/a.jpg', '/far/b.jpg'], folder).serverOf('')).toBe('/far')
    expect(uploadPlaces([join(folder, 'album/a.jpg')], '/').localOf('a.jpg')).toBe(join(folder, 'album/a.jpg'))
    expect(uploadPlaces(['/x'], '/').serverOf('')).toBe('/')
  })

  it('are named as the server names what it keeps, each differently', () => {
    const taken = new Set(['report (1).pdf'])
    const names = ['Report.pdf', 'report.pdf', '.hidden', 'none'].map((name) => freeName(name, taken))
    expect(names).toEqual(['Report (2).pdf', 'report (3).pdf', '.hidden (1)', 'none (1)'])
  })
})
