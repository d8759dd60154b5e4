import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { openLocalStore, type ObjectStore } from '@godwit/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteTaken, type Step } from '../steps/index.ts'
import { MadeList, type Made } from './made.ts'
import { treeMark } from '../tree-mark.ts'

const MADE = {
  entry: { kind: 'folder', etag: '', size: 0, modifiedMs: 0 },
  ...{ isReplacement: false, versionId: '', tree: '' },
} as const

describe('what a copy made of a folder that it filled entry by entry', () => {
  let root: string
  let store: ObjectStore
  let list: MadeList

  beforeEach(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-made-'))
    store = await openLocalStore({ root, clock: systemClock, random: secureRandom })
    list = new MadeList('copy')
  })
  afterEach(() => fs.rmSync(root, { recursive: true }))

  const add = async (name: string): Promise<void> => {
    const entry = await store.stat(`to/${name}`)
    if (entry === undefined) throw new Error(`no ${name}`)
    const making = { kind: 'copy', from: `/${name}`, to: `/to/${name}`, isPart: true } as const
    const note = list.noteOf({ ...making, isFolder: entry.kind === 'folder' })
    if (note === undefined) throw new Error('given up')
    const step = { kind: 'copy', entry: entry.kind, to: `to/${name}`, replaced: undefined, note } as unknown as Step
    const taken = { ...entry, bytes: entry.size }
    list.take(await noteTaken({ ...step, note }, { store, taken, versionId: '', isNow: true }))
  }

  const folder = (name: string): void => void fs.mkdirSync(path.join(root, 'to', name), { recursive: true })
  const file = (name: string, content = name): void => fs.writeFileSync(path.join(root, 'to', name), content)
  const fill = (to: string): void =>
    list.take({ ...{ kind: 'fill', step: 'make', seq: list.next, from: '', to, look: 'nothing' }, ...MADE })
  const filled = async (): Promise<void> => {
    const path = '/to/box'
    const tree = (await treeMark({ store, key: 'to/box' }, list.linesOf(path))) ?? ''
    list.take({ kind: 'filled', seq: list.next, from: '/box', path, seen: 'folder', tree })
  }

  /** A folder with a file, a folder that is filled as well, and one that was copied as a whole. */
  async function fillBox(): Promise<void> {
    fill('/to/box')
    folder('box')
    file('box/one')
    await add('box/one')
    fill('/to/box/sub')
    folder('box/sub')
    file('box/sub/two')
    await add('box/sub/two')
    folder('box/whole/deep')
    file('box/whole/deep/three')
    await add('box/whole')
  }

  it('is the folder alone, with the mark of all that is in it', async () => {
    await fillBox()
    expect(list.all()).toEqual({})
    await filled()
    const tree = await treeMark({ store, key: 'to/box' })
    const made: Partial<Made> = { from: '/box', path: '/to/box', tree: tree ?? '', versionId: '' }
    expect(list.all()).toMatchObject({ made: [made] })
    expect(list.all().made).toHaveLength(1)
  })

  it.each([
    ['put something into it', () => file('box/sub/own')],
    ['wrote something there', () => file('box/sub/two', 'another one, and longer')],
    [
      'wrote as much there',
      () => {
        file('box/sub/two', 'as long now')
        const soon = Date.now() / 1000 + 5
        fs.utimesSync(path.join(root, 'to/box/sub/two'), soon, soon)
      },
    ],
    ['took something out of it', () => fs.rmSync(path.join(root, 'to/box/one'))],
    ['made a folder in it', () => folder('box/whole/own')],
  ])('fits no tree where somebody else %s meanwhile', async (_, change) => {
    await fillBox()
    change()
    await filled()
    const [{ tree } = { tree: '' }] = list.all().made ?? []
    expect(tree).not.toBe('')
    expect(tree).not.toBe(await treeMark({ store, key: 'to/box' }))
  })

  it('is nothing where a folder was not filled to its end', async () => {
    await fillBox()
    fill('/to/next')
    expect(list.all()).toEqual({})
    list.take({ kind: 'filled', seq: list.next, from: '/next', path: '/to/next', seen: 'folder', tree: '' })
    expect(list.all()).toEqual({})
  })
})
