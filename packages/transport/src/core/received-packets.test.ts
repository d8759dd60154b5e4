import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeFrames, type FrameHandler, MAX_ACK_SPAN } from './frames.ts'
import { ReceivedPackets } from './received-packets.ts'
import { Reader } from './varints.ts'

function ackedBy(received: ReceivedPackets, now = 0, room = 1200): Set<number> {
  const buffer = new Uint8Array(1442)
  const end = received.writeAck(now, buffer, { at: 0, end: room })
  const acked = new Set<number>()
  const ignore = (): void => undefined
  const handler: FrameHandler = {
    ackBegin: ignore,
    ackEnd: ignore,
    maxData: ignore,
    pathChallenge: ignore,
    pathResponse: ignore,
    close: ignore,
    data: ignore,
    ackRun(first, last) {
      for (let at = first; at <= last; at++) acked.add(at)
    },
  }
  decodeFrames(new Reader(buffer, 0, end), handler)
  return acked
}

describe('acknowledgements', () => {
  it('name exactly the packets that arrived, in whichever form is shorter', () => {
    const arrivals = fc.uniqueArray(fc.nat(3000), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(arrivals, fc.nat(100_000), (numbers, base) => {
        const received = new ReceivedPackets()
        const all = numbers.map((number) => base + number)
        for (const number of all) received.record(0, number, 100)
        expect(ackedBy(received)).toEqual(new Set(all))
      }),
      { numRuns: 200 },
    )
  })

  it('repeat each packet in four reports, so that three lost reports lose nothing', () => {
    const received = new ReceivedPackets()
    received.record(0, 5, 100)
    for (let report = 0; report < 4; report++) {
      received.record(0, 10 + report, 100)
      expect(ackedBy(received).has(5)).toBe(true)
    }
    received.record(0, 20, 100)
    expect(ackedBy(received).has(5)).toBe(false)
  })

  it('take a few bytes when nothing is missing', () => {
    const received = new ReceivedPackets()
    for (let number = 0; number < 5000; number++) received.record(0, number, 100)
    expect(received.writeAck(0, new Uint8Array(1442), { at: 0, end: 1200 })).toBeLessThan(32)
  })

  it('fit the packet and keep the newest numbers when there is too much to say', () => {
    const received = new ReceivedPackets()
    for (let number = 0; number < 60_000; number += 2) received.record(0, number, 100)
    const buffer = new Uint8Array(1442)
    expect(received.writeAck(0, buffer, { at: 0, end: 600 })).toBeLessThanOrEqual(600)
  })
})

describe('replay window', () => {
  it('takes each number once, and none that is older than 2^17 packets', () => {
    const received = new ReceivedPackets()
    received.record(0, MAX_ACK_SPAN + 10, 100)
    expect(received.isNew(MAX_ACK_SPAN + 10)).toBe(false)
    expect(received.isNew(MAX_ACK_SPAN + 9)).toBe(true)
    expect(received.isNew(11)).toBe(true)
    expect(received.isNew(10)).toBe(false)
  })

  it('agrees with a plain set for any order of arrival, far jumps included', () => {
    const jump = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 300_000 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(jump, fc.nat(200)), { minLength: 1, maxLength: 60 }), (moves) => {
        const received = new ReceivedPackets()
        const seen = new Set<number>()
        let largest = 0
        for (const [forward, back] of moves) {
          largest += forward
          for (const number of [largest, Math.max(0, largest - back)]) {
            expect(received.isNew(number)).toBe(!seen.has(number))
            if (seen.has(number)) continue
            seen.add(number)
            received.record(0, number, 100)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
