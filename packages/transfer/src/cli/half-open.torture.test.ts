import { describe, expect, it } from 'vitest'
import { HalfOpenCrowd, MOST_CROWD_MIB } from '../testing/half-open-crowd.ts'
import { INTACT, Receiver, transferWhole } from '../testing/live-transfer.ts'

const CALLERS = 100_000

describe('100,000 callers who begin a handshake and never end it', () => {
  it('cost at most 64 MiB, over TCP and UDP, and keep nobody out (T64)', async () => {
    await using receiver = await Receiver.start()
    const crowd = await HalfOpenCrowd.gather(receiver)
    await crowd.call(CALLERS)
    expect(await crowd.shout(CALLERS)).toBe(0)
    console.log(`receiver: ${crowd.costMiB.toFixed(0)} MiB more at most`)
    expect(crowd.costMiB).toBeLessThan(MOST_CROWD_MIB)
    expect(await transferWhole(receiver, 'a.bin')).toEqual(INTACT)
    crowd.leave()
  })
})
