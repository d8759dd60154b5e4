import { describe, expect, it } from 'vitest'
import { SharedReads } from './shared-reads.ts'

/** Readings that end when the test says so. */
function readings() {
  const shared = new SharedReads()
  const begun: Array<PromiseWithResolvers<number>> = []
  const ask = async (key = 'folder'): Promise<number> =>
    shared.of(key, async () => {
      const reading = Promise.withResolvers<number>()
      begun.push(reading)
      return reading.promise
    })
  return { ask, begun }
}

describe('readings of the same thing', () => {
  it('are shared by all who ask while one is under way, and begin after they asked', async () => {
    const { ask, begun } = readings()
    const first = ask()
    const later = [ask(), ask(), ask()]
    expect(begun).toHaveLength(1)
    begun[0]?.resolve(1)
    expect(await first).toBe(1)
    await expect.poll(() => begun.length).toBe(2)
    // The second reading is under way by now: what changes from here on, it may miss.
    const last = ask()
    begun[1]?.resolve(2)
    expect(await Promise.all(later)).toEqual([2, 2, 2])
    await expect.poll(() => begun.length).toBe(3)
    begun[2]?.resolve(3)
    expect(await last).toBe(3)
  })

  it('fail for those who share them, and the next begins anew', async () => {
    const { ask, begun } = readings()
    const first = ask()
    const second = ask()
    begun[0]?.reject(new Error('unreadable'))
    await expect(first).rejects.toThrow('unreadable')
    await expect.poll(() => begun.length).toBe(2)
    begun[1]?.resolve(2)
    expect(await second).toBe(2)
    const third = ask()
    expect(begun).toHaveLength(3)
    begun[2]?.resolve(3)
    expect(await third).toBe(3)
  })

  it('of other things wait for nothing', async () => {
    const { ask, begun } = readings()
    const one = ask('one')
    const other = ask('other')
    begun[1]?.resolve(2)
    expect(await other).toBe(2)
    begun[0]?.resolve(1)
    expect(await one).toBe(1)
  })
})
