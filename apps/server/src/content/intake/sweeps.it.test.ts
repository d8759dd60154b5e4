import { StorageError } from '@godwit/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWorld } from '../../testing/worlds.ts'
import { sweepExpired, sweepOrphans } from './intake.jobs.ts'
import { uploadsStore } from './intake.store.ts'
import { HOUR, IntakeSite } from './testing/intake-site.ts'

describe('a sweep while a storage is out of reach', () => {
  let site: IntakeSite

  beforeEach(async () => {
    site = await IntakeSite.open(await openWorld())
    await site.nextAccount()
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await site[Symbol.asyncDispose]()
  })

  const away = () => new StorageError('unreachable', { key: '' })

  it('ends the expired uploads of the others, and its own later', async () => {
    const { live: first } = await site.create({ size: 1_000, filename: 'first.bin' })
    site.world.clock.advance(1_000)
    const { live: second } = await site.create({ size: 1_000, filename: 'second.bin' })
    site.world.clock.advance(25 * HOUR)
    const abort = vi.spyOn(first.store, 'abortUpload').mockRejectedValueOnce(away())
    await sweepExpired(site.deps)
    expect(abort.mock.calls.map(([{ id }]) => id)).toEqual([first.stored.id, second.stored.id])
    expect(await uploadsStore.byId(site.world.database.db, second.id)).toBeUndefined()
    await sweepExpired(site.deps)
    expect(await uploadsStore.byId(site.world.database.db, first.id)).toBeUndefined()
    expect(await site.usedBytes()).toBe(0)
  })

  it('removes the orphans of the others', async () => {
    const [store] = site.deps.files.storages.all()
    if (store === undefined) throw new Error('no storage')
    const looked: string[] = []
    const listing = (name: string, thrown?: Error) => ({
      ...store,
      async *listUploads() {
        looked.push(name)
        if (thrown !== undefined) throw thrown
        yield* []
      },
    })
    vi.spyOn(site.deps.files.storages, 'all').mockReturnValue([listing('away', away()), listing('there')])
    await sweepOrphans(site.deps)
    expect(looked).toEqual(['away', 'there'])
  })
})
