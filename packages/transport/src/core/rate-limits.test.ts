import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rate-limits.ts'

const SECOND = 1_000_000

/** Bytes that leave in one second when as much is taken as there is, every millisecond. */
function drain(limit: ReturnType<typeof createRateLimit>, from: number): number {
  let bytes = 0
  for (let now = from; now < from + SECOND; now += 1000) {
    const available = Math.max(0, Math.floor(limit.available(now)))
    limit.take(now, available)
    bytes += available
  }
  return bytes
}

describe('a rate limit', () => {
  it('lets its rate through, and not more', () => {
    const limit = createRateLimit(0, 80e6)
    expect(drain(limit, 0) / 10e6).toBeCloseTo(1, 1)
  })

  it('gives each leaf no more than the tightest ceiling above', () => {
    const node = createRateLimit(0, 40e6)
    const user = createRateLimit(0, 80e6, createRateLimit(0, Infinity, node))
    expect(drain(user, 0) / 5e6).toBeCloseTo(1, 1)
    expect(user.rate()).toBe(40e6)
  })

  it('is shared by all leaves below it', () => {
    const node = createRateLimit(0, 80e6)
    const first = createRateLimit(0, Infinity, node)
    const second = createRateLimit(0, Infinity, node)
    first.take(0, 50_000)
    expect(second.available(0)).toBe(-50_000)
  })

  it('changes at once', () => {
    const limit = createRateLimit(0, 80e6)
    drain(limit, 0)
    limit.setRate(SECOND, 8e6)
    expect(drain(limit, SECOND) / 1e6).toBeCloseTo(1, 1)
  })

  it('says when bytes may leave', () => {
    const limit = createRateLimit(0, 8e6)
    expect(limit.readyAt(0, 1000)).toBe(1000)
    expect(createRateLimit(0, Infinity).readyAt(5, 1000)).toBe(5)
    expect(createRateLimit(0, 0).readyAt(5, 1000)).toBe(Infinity)
  })
})
