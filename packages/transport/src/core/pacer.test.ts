import { describe, expect, it } from 'vitest'
import { Pacer } from './pacer.ts'

/** 12.5 bytes per microsecond: 100 Mbit/s. */
const RATE = 12.5
const PACKET = 1400
const BDP = RATE * 100_000

/** Paced at 100 Mbit/s over 100 ms, all credit taken at 0, and waiting for a packet's worth of it. */
function waiting(): Pacer {
  const pacer = new Pacer()
  pacer.setRate(0, RATE, { bdpBytes: BDP, packetBytes: PACKET })
  pacer.readyAt(0, PACKET)
  return pacer
}

describe('a pacer', () => {
  it('asks to be woken when the bytes have been earned', () => {
    expect(new Pacer().readyAt(0, PACKET)).toBe(Infinity)
    const pacer = waiting()
    expect(pacer.readyAt(0, PACKET)).toBe(PACKET / RATE)
    expect(pacer.available(PACKET / RATE)).toBeCloseTo(PACKET)
  })

  it('gives back all the time by which a wake-up came late', () => {
    expect(waiting().available(20_000)).toBeCloseTo(20_000 * RATE)
  })

  it('keeps what a late wake-up has earned until it is used', () => {
    const pacer = waiting()
    const earned = pacer.available(20_000)
    pacer.take(PACKET)
    expect(pacer.available(20_000)).toBeCloseTo(earned - PACKET)
    pacer.readyAt(20_000, PACKET)
    expect(pacer.available(20_001)).toBeGreaterThanOrEqual(earned - PACKET)
  })

  it('gives back no more than half of what the path holds, so that the burst finds room in a queue', () => {
    expect(waiting().available(10_000_000)).toBe(BDP / 2)
  })

  it('gives nothing back for time in which something else held sending up', () => {
    const pacer = waiting()
    pacer.stopWaiting()
    expect(pacer.available(90_000)).toBeLessThanOrEqual(5000 * RATE)
  })

  it('takes acknowledgements that arrived before its last look', () => {
    const pacer = waiting()
    const earned = pacer.available(3000)
    pacer.setRate(1000, RATE, { bdpBytes: BDP, packetBytes: PACKET })
    expect(pacer.available(3000)).toBeCloseTo(earned)
    expect(pacer.available(4000)).toBeCloseTo(earned + 1000 * RATE)
  })
})
