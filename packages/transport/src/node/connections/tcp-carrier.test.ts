import { describe, expect, it } from 'vitest'
import { createRateLimit } from '../../core/index.ts'
import type { ObjectRange, Session } from '../../core/index.ts'
import type { FrameStream } from '../control/frame-stream.ts'
import { TcpCarrier } from './tcp-carrier.ts'

const BITS_PER_SECOND = 80e6
/** What writing a frame takes. */
const WRITE_US = 50

/** A carrier with much to send over one stream that takes everything, and a clock that goes on while it writes. */
function limitedCarrier(pendingBytes: number) {
  let now = 1_000_000
  let left = pendingBytes
  const frames: number[] = []
  const session = {
    get pendingBytes() {
      return left
    },
    takePending(most: number): ObjectRange | undefined {
      if (left === 0) return undefined
      const length = Math.min(most, left)
      const start = pendingBytes - left
      left -= length
      return { object: 1, start, end: start + length }
    },
    limit: createRateLimit(now, BITS_PER_SECOND),
  }
  const stream = {
    isFull: false,
    send(_type: number, payload: Uint8Array) {
      frames.push(payload.length)
      now += WRITE_US
    },
  }
  const carrier = new TcpCarrier({
    session: session as unknown as Session,
    link: { read: () => true, data: () => undefined, acked: () => undefined },
    now: () => now,
  })
  carrier.add(stream as unknown as FrameStream)
  const pass = (us: number): void => void (now += us)
  return { carrier, frames, pass, now: () => now }
}

describe('a TCP stream below a rate limit', () => {
  it('writes what the limit allows and then lets the program go on, however slow writing is', () => {
    const { carrier, frames, pass, now } = limitedCarrier(4 * 1024 * 1024)
    pass(10_000)
    carrier.pump()
    // 100 kB in 10 ms; what the limit allows meanwhile is no frame of its own.
    expect(frames.length).toBeLessThanOrEqual(3)
    expect(carrier.sentBytes).toBeLessThan(110_000)
    expect(carrier.heldUntil).toBeGreaterThan(now())
  })

  it('keeps the rate from one look to the next', () => {
    const { carrier, pass } = limitedCarrier(4 * 1024 * 1024)
    for (let ms = 0; ms < 200; ms++) {
      pass(1000)
      carrier.pump()
    }
    expect(carrier.sentBytes).toBeGreaterThan(1_900_000)
    expect(carrier.sentBytes).toBeLessThan(2_200_000)
  })

  it('sends a last piece that is smaller than a frame worth waiting for', () => {
    const { carrier, frames, pass } = limitedCarrier(300)
    pass(60)
    carrier.pump()
    expect(carrier.sentBytes).toBe(300)
    expect(frames).toHaveLength(1)
    expect(carrier.heldUntil).toBe(Infinity)
  })
})
