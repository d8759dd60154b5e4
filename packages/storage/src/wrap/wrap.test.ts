import { fakeClock, systemClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../errors.ts'
import type { ObjectStore } from '../object-store.ts'
import { objectStoreSuite } from '../testing/object-store-suite.ts'
import { temporaryStore } from '../testing/temporary-store.ts'
import { aroundEach, type StoreCall } from './around-each.ts'
import { withLimit } from './with-limit.ts'
import { withMeter, type Measured } from './with-meter.ts'
import { withRetry } from './with-retry.ts'

const atOnce = { tries: 3, pause: () => Promise.resolve() }

objectStoreSuite({
  name: 'local, with retry, limit and meter',
  async open() {
    const { store, close } = await temporaryStore()
    return { store: withMeter(withLimit(withRetry(store, atOnce), 8), systemClock, () => undefined), close }
  },
})

/** A store that cannot be reached the first few times; what it was asked is counted. */
async function unsteady(failures: number, reason: 'unreachable' | 'io' = 'unreachable') {
  const { store, close } = await temporaryStore()
  const asked: StoreCall[] = []
  const failing = aroundEach(store, (call, work) => {
    asked.push(call)
    if (asked.length <= failures) throw new StorageError(reason)
    return work()
  })
  return { store: failing, asked, close }
}

describe('a store with retry', () => {
  it('tries again what may be repeated, as often as it is set to', async () => {
    const { store, asked, close } = await unsteady(2)
    const pauses: number[] = []
    const pause = (next: number) => Promise.resolve(void pauses.push(next))
    expect(await withRetry(store, { tries: 3, pause }).stat('nothing')).toBeUndefined()
    expect([asked, pauses]).toEqual([
      ['stat', 'stat', 'stat'],
      [2, 3],
    ])
    await close()
  })

  it('gives up after the last try, and at once for any other reason', async () => {
    const away = await unsteady(9)
    await expect(withRetry(away.store, atOnce).stat('a')).rejects.toMatchObject({ reason: 'unreachable' })
    expect(away.asked).toHaveLength(3)
    const broken = await unsteady(9, 'io')
    await expect(withRetry(broken.store, atOnce).stat('a')).rejects.toMatchObject({ reason: 'io' })
    expect(broken.asked).toHaveLength(1)
    await Promise.all([away.close(), broken.close()])
  })

  it.each<readonly [StoreCall, (store: ObjectStore) => Promise<unknown>]>([
    ['createFolder', (store) => store.createFolder('a')],
    ['move', (store) => store.move('a', 'b', { conflict: 'fail' })],
    ['copy', (store) => store.copy('a', 'b', { conflict: 'fail' })],
    ['remove', (store) => store.remove('a')],
    ['createUpload', (store) => store.createUpload({ key: 'a', size: 1 })],
    ['writeFiles', (store) => store.writeFiles([], { conflict: 'fail' })],
  ])('never repeats %s', async (call, work) => {
    const { store, asked, close } = await unsteady(1)
    await expect(work(withRetry(store, atOnce))).rejects.toMatchObject({ reason: 'unreachable' })
    expect(asked).toEqual([call])
    await close()
  })
})

describe('a store with a limit', () => {
  it('has no more operations under way, and serves all of them', async () => {
    const { store, close } = await temporaryStore()
    let underWay = 0
    let most = 0
    const counted = aroundEach(store, async (_call, work) => {
      most = Math.max(most, ++underWay)
      try {
        return await work()
      } finally {
        underWay--
      }
    })
    const limited = withLimit(counted, 3)
    await Promise.all(Array.from({ length: 50 }, (_, at) => limited.ensureFolder(`folder-${at}`)))
    expect(most).toBe(3)
    await close()
  })
})

describe('a store with a meter', () => {
  it('reports each operation, how long it took and how it ended', async () => {
    const { store, close } = await temporaryStore()
    const clock = fakeClock()
    const reported: Measured[] = []
    const slow = aroundEach(store, (_call, work) => {
      clock.advance(7)
      return work()
    })
    const metered = withMeter(slow, clock, (measured) => void reported.push(measured))
    await metered.stat('a')
    await expect(metered.openRead('a')).rejects.toThrow(StorageError)
    expect(reported).toEqual([
      { call: 'stat', tookMs: 7, outcome: 'done' },
      { call: 'openRead', tookMs: 7, outcome: 'not-found' },
    ])
    await close()
  })
})
