import { describe, expect, it } from 'vitest'
import { newSessionPair, SERVER_ADDRESS } from '../sim/session-pair.ts'
import { createRateLimit } from './rate-limits.ts'

const SECOND = 1_000_000
const DELAY_US = 50_000

describe('a rate that the peer allows, while data flows', () => {
  it('holds within a second, however wide the window is and though packets are lost, and is lifted', () => {
    const limit = createRateLimit(0, 100e6)
    const pair = newSessionPair({ limit, receiveWindow: 2 ** 32 }, { limit: createRateLimit(0, Infinity) })
    let flights = 0
    const isLost = (): boolean => flights++ % 50 === 0
    pair.client.openPath(0, SERVER_ADDRESS)
    let now = pair.run({ from: 0, until: SECOND, delayUs: DELAY_US })
    pair.client.send(1, 0, 2 ** 30)
    const megabitsOfNext = (seconds: number): number => {
      const before = pair.server.stats(now).newBytesReceived
      now = pair.run({ from: now, until: now + seconds * SECOND, delayUs: DELAY_US, isLost })
      return ((pair.server.stats(now).newBytesReceived - before) * 8) / seconds / 1e6
    }
    for (const megabits of [20, 2, 40]) {
      pair.client.limit.setRate(now, megabits * 1e6)
      megabitsOfNext(1)
      const reached = megabitsOfNext(2)
      expect(reached, `${megabits} Mbit/s`).toBeGreaterThan(megabits * 0.9)
      expect(reached, `${megabits} Mbit/s`).toBeLessThanOrEqual(megabits)
      expect(pair.client.stats(now).limitBitsPerSecond).toBe(megabits * 1e6)
    }
    pair.client.limit.setRate(now, Infinity)
    megabitsOfNext(1)
    expect(pair.client.stats(now).limitBitsPerSecond).toBe(100e6)
    expect(megabitsOfNext(1)).toBeGreaterThan(60)
  })
})

describe('a rate that changes while data flows', () => {
  it('holds within a second, downwards, upwards, at zero and from zero, within 5 %', () => {
    const limit = createRateLimit(0, 40e6)
    const unlimited = createRateLimit(0, Infinity)
    const pair = newSessionPair({ limit, receiveWindow: 2 ** 32 }, { limit: unlimited })
    pair.client.openPath(0, SERVER_ADDRESS)
    let now = pair.run({ from: 0, until: SECOND, delayUs: DELAY_US })
    pair.client.send(1, 0, 2 ** 30)
    const megabitsOfNext = (seconds: number): number => {
      const before = pair.server.stats(now).newBytesReceived
      now = pair.run({ from: now, until: now + seconds * SECOND, delayUs: DELAY_US })
      return ((pair.server.stats(now).newBytesReceived - before) * 8) / seconds / 1e6
    }
    megabitsOfNext(4)
    // A ceiling counts IP bytes: headers and acknowledgement ranges take a share that does not change.
    const share = megabitsOfNext(2) / 40
    for (const megabits of [8, 40, 2, 0, 24]) {
      limit.setRate(now, megabits * 1e6)
      megabitsOfNext(1)
      const reached = megabitsOfNext(2)
      expect(reached, `${megabits} Mbit/s`).toBeGreaterThanOrEqual(share * megabits * 0.95)
      expect(reached, `${megabits} Mbit/s`).toBeLessThanOrEqual(share * megabits * 1.05)
    }
  })
})
