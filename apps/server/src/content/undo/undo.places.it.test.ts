import { FULL_PERMISSION, PERMISSION } from '@godwit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../../testing/worlds.ts'
import { presentJob } from '../files/index.ts'
import { GROUP, LIBRARY, ONE_STORAGE, PAIRS, TwoStorages } from '../files/jobs/testing/two-storages.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { TwoPlaces } from './testing/two-places.ts'

const WORLDS = [ONE_STORAGE, ...PAIRS.slice(1, 4)]
const BACK = { groupId: GROUP, targetGroupId: 0, target: '/' }

describe.each(WORLDS)('an undone move to another place, between $name', (pair) => {
  let two: TwoStorages
  let places: TwoPlaces
  let before: string

  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(await pair.url()), pair)
    places = new TwoPlaces(two)
  }, 60_000)
  afterAll(async () => two[Symbol.asyncDispose]())
  beforeEach(async () => {
    two.libraryFlags = FULL_PERMISSION
    await places.prepare()
    before = await places.state()
  })

  const inLibrary = async (name: string) => (await two.inLibrary()).get(`${LIBRARY}/${name}`)
  const atHome = async (name: string) => (await two.atHome()).get(`${two.site.intake.alice.home}/${name}`)

  it('brings all back that it merged, with what it replaced, the versions of both, and books equal to the byte', async () => {
    const jobId = await places.transfer('move', ['/box', '/file'])
    expect([await atHome('box/inner'), await inLibrary('box/inner')]).toEqual([undefined, bytes(60, 60)])
    expect(await places.undo(jobId)).toEqual([])
    expect(await places.state()).toBe(before)
    expect(await two.faults()).toEqual([])
    // Nothing is there for a second time.
    await places.undo(jobId).catch(() => undefined)
    expect(await places.state()).toBe(before)
  })

  it('goes from the group to the home as well', async () => {
    const jobId = await places.transfer('move', ['/box'], BACK)
    expect([await atHome('box/inner'), await inLibrary('box/own')]).toEqual([bytes(40, 40), undefined])
    expect(await places.undo(jobId)).toEqual([])
    expect(await places.state()).toBe(before)
    expect(await two.faults()).toEqual([])
  })

  it('leaves what was changed or added since, or whose name is taken, and brings back the rest', async () => {
    const jobId = await places.transfer('move', ['/box', '/file'])
    const change = { key: `${LIBRARY}/box/inner`, content: bytes(11, 11) }
    await two.library.writeFiles([change, { key: `${LIBRARY}/box/new/own`, content: bytes(12, 12) }], {
      conflict: 'replace',
    })
    await places.put('file', 99)
    const failures = await places.undo(jobId)
    const changed = ['/box/new FILE_CHANGED', '/box/inner FILE_CHANGED']
    expect(new Set(failures)).toEqual(new Set([...changed, '/file PATH_EXISTS']))
    expect([await inLibrary('box/inner'), await inLibrary('file')]).toEqual([bytes(11, 11), bytes(53, 53)])
    expect([await atHome('box/sub/deep'), await inLibrary('box/sub/own')]).toEqual([bytes(51, 51), bytes(32, 32)])
    expect(await atHome('file')).toEqual(bytes(99, 99))
  })

  it('asks for the rights of a move in both places, and to bring back what was replaced', async () => {
    const jobId = await places.transfer('move', ['/box'])
    const made = await places.state()
    two.libraryFlags = FULL_PERMISSION & ~PERMISSION.delete
    await expect(places.undo(jobId)).rejects.toThrow('PERMISSION_DENIED')
    expect(await places.state()).toBe(made)
    two.libraryFlags = FULL_PERMISSION & ~PERMISSION.upload
    expect(await places.undo(jobId)).toEqual(['/box/inner PERMISSION_DENIED'])
    expect([await atHome('box/sub/deep'), await inLibrary('box/inner')]).toEqual([bytes(51, 51), bytes(60, 60)])
  })

  it('is not offered to who may not take anything out of there', async () => {
    const canUndo = async (kind: 'copy' | 'move', kept: number): Promise<unknown> => {
      two.libraryFlags = FULL_PERMISSION & ~kept
      await places.prepare()
      await places.put('alone', 20)
      const job = await two.site.queue.byId(await places.transfer(kind, ['/alone']))
      return job && presentJob(job, 'en-US').canUndo
    }
    expect([await canUndo('move', 0), await canUndo('copy', 0)]).toEqual([true, true])
    expect(await canUndo('copy', PERMISSION.move)).toBe(true)
    expect([await canUndo('move', PERMISSION.move), await canUndo('copy', PERMISSION.delete)]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('is one folder where it came to a free name, and stays whole when something came into it', async () => {
    await places.put('tree/deep/one', 71)
    await places.put('tree/two', 72)
    const untouched = await places.state()
    const jobId = await places.transfer('move', ['/tree'])
    expect(await places.undo(jobId)).toEqual([])
    expect(await places.state()).toBe(untouched)
    await places.put('tree/two', 73, 'replace')
    const kept = await places.state()
    expect(await places.undo(await places.transfer('move', ['/tree']))).toEqual([])
    expect(await places.state()).toBe(kept)
  })
})
