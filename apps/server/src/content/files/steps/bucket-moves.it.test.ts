import type { ConflictOptions, Entry, ObjectStore } from '@godwit/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../../testing/worlds.ts'
import { bytes } from '../../intake/testing/intake-site.ts'
import { KillSwitch } from '../../recycle/testing/kill-switch.ts'
import { rename } from '../files.service.ts'
import { PAIRS, TwoStorages } from '../jobs/testing/two-storages.ts'

const FILES = ['box/inner', 'box/sub/deep', 'single']

describe('a server that is killed when a bucket has copied what it moves, and not yet removed it', () => {
  const kill = new KillSwitch()
  let two: TwoStorages

  beforeAll(async () => {
    const pair = PAIRS.find(({ name }) => name === 'a bucket and a folder')
    if (pair === undefined) throw new Error('no home on a bucket')
    two = await TwoStorages.open(await openWorld(await pair.url()), pair, kill)
  }, 120_000)
  afterAll(async () => two[Symbol.asyncDispose]())

  /** The process dies in the next move of the store. */
  function dieInNextMove(store: ObjectStore): void {
    const watched = store.move.bind(store)
    const become = (value: ObjectStore['move']) => Object.defineProperty(store, 'move', { value, configurable: true })
    become(async (from: string, to: string, options: ConflictOptions): Promise<Entry> => {
      become(watched)
      await store.copy(from, to, options)
      kill.arm(0)
      return watched(from, to, options)
    })
  }

  async function filesAtHome(): Promise<string[]> {
    const { home } = two.site.intake.alice
    return [...(await two.atHome()).keys()].map((key) => key.slice(home.length + 1)).toSorted()
  }

  it.each([
    ['a folder renamed', (): Promise<unknown> => renamed('box', 'crate'), ['crate/inner', 'crate/sub/deep', 'single']],
    ['a file renamed', () => renamed('single', 'one'), ['box/inner', 'box/sub/deep', 'one']],
    ['a folder moved', () => moved('/box'), ['single', 'to/box/inner', 'to/box/sub/deep']],
    ['a file moved', () => moved('/single'), ['box/inner', 'box/sub/deep', 'to/single']],
  ])('ends it: %s, once, and the books agree', async (_what, act, wanted) => {
    const { site } = two
    await two.nextAccount()
    await two.clearLibrary()
    for (const [at, relativePath] of FILES.entries()) await site.intake.upload(bytes(50 + at, at), { relativePath })
    await two.home.ensureFolder(`${site.intake.alice.home}/to`)
    await site.deps.db.deleteFrom('outbox').execute()
    dieInNextMove(two.home)
    await expect(act()).rejects.toThrow(/dead|INTERNAL/)
    expect(kill.isDead).toBe(true)
    await site.queue.stop()
    kill.revive()
    expect((await filesAtHome()).length, 'files that stand twice').toBeGreaterThan(FILES.length)
    site.intake.world.clock.advance(1_000)
    await two.restart()
    await site.deps.files.steps.recover()
    expect(await site.runJobs()).toEqual([])
    expect(await filesAtHome()).toEqual(wanted)
    expect(await two.faults()).toEqual([])
    expect(await two.events()).toHaveLength(1)
  })

  function renamed(oldName: string, newName: string): Promise<unknown> {
    const { deps, intake } = two.site
    return rename(deps.files, intake.ctx, { spaceId: 1, groupId: 0, path: '/', oldName, newName })
  }

  async function moved(path: string): Promise<void> {
    await two.site.call('move', { paths: [path], target: '/to' })
    await two.site.runJobs()
  }
})
