import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { openLocalStore, type ObjectStore } from '@godwit/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MadeList, type Made } from './made.ts'
import { treeMark } from './tree-mark.ts'

describe('what a copy made of a folder that it filled entry by entry', () => {
  let root: string
  let store: ObjectStore
  let list: MadeList

  beforeEach(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-made-'))
    store = await openLocalStore({ root, clock: systemClock, random: secureRandom })
    list = new MadeList()
  })
  afterEach(() => fs.rmSync(root, { recursive: true }))

  const add = async (name: string): Promise<void> => {
    const entry = await store.stat(`to/${name}`)
    if (entry === undefined) throw new Error(`no ${name}`)
    await list.add({
      ...{ kind: 'copy', from: `/${name}`, isPart: true, to: `/to/${name}`, at: { store, key: `to/${name}` }, entry },
      ...{ isReplacement: false, version: undefined, older: [] },
    })
  }

  const folder = (name: string): void => void fs.mkdirSync(path.join(root, 'to', name), { recursive: true })
  const file = (name: string, content = name): void => fs.writeFileSync(path.join(root, 'to', name), content)
  const filled = () => list.filled({ from: '/box', to: '/to/box', at: { store, key: 'to/box' } })

  /** A folder with a file, a folder that is filled as well, and one that was copied as a whole. */
  async function fill(): Promise<void> {
    list.fill('/to/box')
    folder('box')
    file('box/one')
    await add('box/one')
    list.fill('/to/box/sub')
    folder('box/sub')
    file('box/sub/two')
    await add('box/sub/two')
    folder('box/whole/deep')
    file('box/whole/deep/three')
    await add('box/whole')
  }

  it('is the folder alone, with the mark of all that is in it', async () => {
    await fill()
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
    await fill()
    change()
    await filled()
    const [{ tree } = { tree: '' }] = list.all().made ?? []
    expect(tree).not.toBe('')
    expect(tree).not.toBe(await treeMark({ store, key: 'to/box' }))
  })

  it('is nothing where a folder was not filled to its end', async () => {
    await fill()
    list.fill('/to/next')
    expect(list.all()).toEqual({})
    await list.filled({ from: '/next', to: '/to/next', at: { store, key: 'to/box' } })
    expect(list.all()).toEqual({})
  })
})
