import { describe, expect, it } from 'vitest'
import { newDice, randomOf } from '../sim/index.ts'
import { Gcc } from './gcc.ts'
import type { AckSummary } from './recovery.ts'
import type { Policy } from './session.types.ts'

const RTT_US = 50_000
const PACKET = 1400

function newController(policy: Policy = { kind: 'fair' }): Gcc {
  return new Gcc({
    random: randomOf(newDice(1)),
    policy,
    saved: undefined,
    maxLossBaseline: 0.2,
    rttUs: RTT_US,
    packetBytes: PACKET,
    now: 0,
  })
}

/** One round trip in which `acked` packets arrived at `rate` bytes per microsecond and `lost` did not. */
function round(
  controller: Gcc,
  now: number,
  seen: { acked: number; lost: number; rate: number; rttUs?: number },
): void {
  for (let index = 0; index < seen.acked; index++) controller.onPacketAcked(controller.tag)
  for (let index = 0; index < seen.lost; index++) controller.onPacketLost(controller.tag)
  const summary: AckSummary = {
    now,
    ackedPackets: seen.acked,
    ackedBytes: seen.acked * PACKET,
    lostPackets: seen.lost,
    rttUs: seen.rttUs ?? RTT_US,
    rate: seen.rate,
    shortRate: seen.rate,
    isAppLimited: false,
    isRoundStart: true,
    inFlightBytes: seen.rate * RTT_US,
    endsOutage: false,
  }
  controller.onAck(summary)
}

/** Rounds of the same kind until `until`. Answers the time then. */
function rounds(
  controller: Gcc,
  span: { from: number; until: number },
  seen: { acked: number; lost: number; rate: number },
): number {
  let now = span.from
  for (; now < span.until; now += RTT_US) round(controller, now, seen)
  return now
}

describe('the congestion controller', () => {
  it('paces at the delivered rate over the share that survives, once it knows what the line loses', () => {
    const controller = newController()
    rounds(controller, { from: RTT_US, until: 8_000_000 }, { acked: 950, lost: 50, rate: 10 })
    expect(controller.lossBaseline).toBeGreaterThan(0.04)
    expect(controller.lossBaseline).toBeLessThan(0.06)
    expect(controller.pacingRate).toBeGreaterThan(0.9 * (10 / 0.95))
  })

  it('takes a baseline back when a stretch loses clearly less', () => {
    const controller = newController()
    const now = rounds(controller, { from: RTT_US, until: 8_000_000 }, { acked: 900, lost: 100, rate: 10 })
    round(controller, now, { acked: 2000, lost: 0, rate: 10 })
    expect(controller.lossBaseline).toBeLessThan(0.01)
  })

  it('takes its yielding back when the line turns out to lose as much by itself', () => {
    const controller = newController()
    const now = rounds(controller, { from: RTT_US, until: 1_000_000 }, { acked: 5, lost: 0, rate: 10 })
    round(controller, now, { acked: 950, lost: 50, rate: 10, rttUs: RTT_US + 9000 })
    expect(controller.bandwidth).toBeCloseTo(6.5)
    rounds(controller, { from: now + RTT_US, until: now + 300_000 }, { acked: 950, lost: 50, rate: 6.5 })
    expect(controller.bandwidth).toBeCloseTo(10)
  })

  it('keeps what it yielded when the losses end with it: somebody else needs the room', () => {
    const controller = newController()
    const now = rounds(controller, { from: RTT_US, until: 1_000_000 }, { acked: 950, lost: 0, rate: 10 })
    round(controller, now, { acked: 950, lost: 50, rate: 10, rttUs: RTT_US + 9000 })
    rounds(controller, { from: now + RTT_US, until: now + 1_000_000 }, { acked: 950, lost: 0, rate: 6.5 })
    expect(controller.bandwidth).toBeLessThan(7)
  })

  it('never calls more than a fifth innocent', () => {
    const controller = newController()
    rounds(controller, { from: RTT_US, until: 20_000_000 }, { acked: 700, lost: 300, rate: 10 })
    expect(controller.lossBaseline).toBeLessThanOrEqual(0.2)
  })

  it('keeps 4 packets after three probe time-outs without a word', () => {
    const controller = newController()
    const now = rounds(controller, { from: RTT_US, until: 2_000_000 }, { acked: 300, lost: 0, rate: 10 })
    controller.onSilence(2)
    expect(controller.cwndBytes).toBeGreaterThan(100 * PACKET)
    controller.onSilence(3)
    expect(controller.cwndBytes).toBe(4 * PACKET)
    round(controller, now, { acked: 4, lost: 0, rate: 10 })
    expect(controller.cwndBytes).toBeGreaterThan(100 * PACKET)
  })

  it('calls a path broken that loses more than half for 5 s', () => {
    const controller = newController()
    rounds(controller, { from: RTT_US, until: 4_900_000 }, { acked: 40, lost: 60, rate: 1 })
    expect(controller.isBroken).toBe(false)
    rounds(controller, { from: 4_900_000, until: 5_300_000 }, { acked: 40, lost: 60, rate: 1 })
    expect(controller.isBroken).toBe(true)
  })

  it('keeps a fixed rate and makes up for at most a quarter of loss', () => {
    const controller = newController({ kind: 'fixed', bitsPerSecond: 80e6 })
    expect(controller.pacingRate).toBe(10)
    rounds(controller, { from: RTT_US, until: 8_000_000 }, { acked: 900, lost: 100, rate: 10 })
    expect(controller.pacingRate).toBeGreaterThan(10.5)
    expect(controller.pacingRate).toBeLessThanOrEqual(12.5)
  })

  it('offers a model worth saving once it has measured, and none before', () => {
    const controller = newController()
    expect(controller.model()).toBeUndefined()
    rounds(controller, { from: RTT_US, until: 1_000_000 }, { acked: 300, lost: 0, rate: 10 })
    expect(controller.model()).toMatchObject({ bitsPerSecond: 80e6, minRttUs: RTT_US })
  })
})
