import { describe, expect, it } from 'vitest'
import { HalfOpenCrowd } from '../testing/half-open-crowd.ts'
import { LiveTransfer, Receiver, warmUp } from '../testing/live-transfer.ts'

const CALLERS = 100_000
/** Above what the receiver holds when it has served somebody. */
const MORE_MIB = 64

describe('100,000 callers who begin a handshake and never end it', () => {
  it('cost at most 64 MiB, over TCP and UDP, and keep nobody out (T64)', async () => {
    await using receiver = await Receiver.start()
    await warmUp(receiver)
    const before = await receiver.residentMiB()
    const crowd = await HalfOpenCrowd.gather(receiver)
    await crowd.call(CALLERS)
    expect(await crowd.shout(CALLERS)).toBe(0)
    console.log(`receiver: ${before.toFixed(0)} MiB before, ${crowd.peakMiB.toFixed(0)} MiB at most`)
    expect(crowd.peakMiB - before).toBeLessThan(MORE_MIB)
    await using transfer = await LiveTransfer.start(receiver, {
      name: 'a.bin',
      seed: 4,
      mebibytes: 4,
      bitsPerSecond: Infinity,
    })
    expect((await transfer.result).failures).toEqual([])
    crowd.leave()
  })
})
