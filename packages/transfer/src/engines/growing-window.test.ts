import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { GrowingWindow } from './growing-window.ts'

const MOST = 80 * MiB
const BUSY = 64 * MiB

function newWindow(srttMs = 100) {
  const clock = { ms: 0 }
  let most = MOST
  const window = new GrowingWindow({ most: () => most, nowMs: () => clock.ms, srttUs: () => srttMs * 1000 })
  /** Chunks of 1 MiB, `everyMs` apart. @returns bytes told beyond those */
  const take = (chunks: number, everyMs: number, waitingBytes = 0): number => {
    let more = 0
    for (let count = 0; count < chunks; count++) {
      clock.ms += everyMs
      more += window.consumed(MiB, waitingBytes) - MiB
    }
    return more
  }
  return { take, allow: (bytes: number) => void (most = bytes) }
}

describe('the window of a receiver', () => {
  it('grows by 8 MiB at any rate, as fast as bytes are disposed of', () => {
    const { take } = newWindow()
    expect(take(5, 200)).toBe(5 * MiB)
    expect(take(20, 200)).toBe(3 * MiB)
  })

  it('grows with what the line carries in 0.6 s or three round trips', () => {
    expect(newWindow().take(200, 20)).toBe(30 * MiB)
    expect(newWindow(500).take(200, 20)).toBe(75 * MiB)
  })

  it('never grows beyond what was allowed', () => {
    expect(newWindow(1000).take(500, 10)).toBe(MOST)
  })

  it('follows what is allowed at the moment', () => {
    const { take, allow } = newWindow(500)
    take(200, 20)
    allow(20 * MiB)
    expect(take(200, 20)).toBe(-55 * MiB)
    allow(MOST)
    expect(take(200, 20)).toBe(55 * MiB)
  })

  it('narrows while too much waits for the disk, and recovers', () => {
    const { take } = newWindow()
    take(200, 20)
    expect(take(20, 20, BUSY)).toBe(-20 * MiB)
    expect(take(40, 20)).toBe(20 * MiB)
  })

  it('forgets a faster moment, not at once', () => {
    const { take } = newWindow()
    take(200, 20)
    expect(take(1, 400)).toBeGreaterThan(-5 * MiB)
    expect(take(60, 400)).toBeLessThan(-15 * MiB)
  })
})
