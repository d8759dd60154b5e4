import { describe, expect, it } from 'vitest'
import { type BottleneckFacts, describeBottleneck, nameBottleneck } from './bottleneck.ts'
import { SpeedMeter } from './speed-meter.ts'

const quiet: BottleneckFacts = {
  heldBySource: 0,
  heldByPeerWindow: 0,
  heldByLimit: 0,
  heldByNetwork: 0,
  idle: 0,
  cpu: 0.2,
  peerDisk: 0.1,
  lossRate: 0,
  rttMs: 80,
  limitBitsPerSecond: 20e6,
  bandwidthBitsPerSecond: 95e6,
  isStarting: false,
}

describe('the named bottleneck', () => {
  const name = (facts: Partial<BottleneckFacts>) => nameBottleneck({ ...quiet, ...facts })

  it('is what held sending up for most of the time, with its numbers', () => {
    expect(name({ heldBySource: 0.7 })).toEqual({ name: 'sender disk', figures: { percent: 70 } })
    expect(name({ heldByLimit: 0.9 })).toEqual({ name: 'policy limit', figures: { mbps: 20 } })
    expect(name({ heldByPeerWindow: 0.6 })).toEqual({ name: 'peer window', figures: { percent: 60 } })
    expect(name({ heldByPeerWindow: 0.6, peerDisk: 0.95 })).toEqual({ name: 'receiver disk', figures: { percent: 95 } })
    expect(name({ heldByNetwork: 1 })).toEqual({ name: 'line', figures: { mbps: 95, rttMs: 80 } })
    expect(name({ heldByNetwork: 1, lossRate: 0.0512 })).toEqual({ name: 'loss', figures: { percent: 5.1, rttMs: 80 } })
    expect(name({ heldByNetwork: 1, isStarting: true })).toEqual({ name: 'RTT', figures: { rttMs: 80 } })
    expect(name({ heldByNetwork: 1, cpu: 0.97 })).toEqual({ name: 'CPU', figures: { percent: 97 } })
    expect(name({ idle: 0.9 })).toEqual({ name: 'nothing to send', figures: { percent: 90 } })
  })

  it('says no number that nobody measured, as of a line over TCP', () => {
    expect(name({ heldByNetwork: 1, bandwidthBitsPerSecond: 0, rttMs: 0 })).toEqual({ name: 'line', figures: {} })
    expect(name({ heldByLimit: 1, limitBitsPerSecond: Infinity })).toEqual({ name: 'policy limit', figures: {} })
  })

  it.each([
    [{ heldBySource: 0.7 }, 'sender disk: 70 % of the time'],
    [{ heldByPeerWindow: 0.6, peerDisk: 0.95 }, 'receiver disk: 95 % busy'],
    [{ heldByNetwork: 1, lossRate: 0.05 }, 'loss: 5 % of packets lost, round trip 80 ms'],
    [{ heldByNetwork: 1 }, 'line: 95 Mbit/s, round trip 80 ms'],
    [{ heldByNetwork: 1, bandwidthBitsPerSecond: 0, rttMs: 0 }, 'line'],
  ])('is described for a command line: %j', (facts, text) => {
    expect(describeBottleneck(name(facts))).toBe(text)
  })
})

describe('the speed shown', () => {
  it('is the average at first, then follows what changes within seconds', () => {
    const meter = new SpeedMeter(0)
    for (let ms = 500; ms <= 10_000; ms += 500) meter.update(ms, ms * 1000)
    expect(meter.bytesPerSecond).toBeCloseTo(1e6, -3)
    for (let ms = 10_500; ms <= 20_000; ms += 500) meter.update(ms, 1e7)
    expect(meter.bytesPerSecond).toBeLessThan(60_000)
  })

  it('is that of the line also where bytes count a block at a time, and falls once the next one is overdue', () => {
    const meter = new SpeedMeter(0)
    const block = 2 ** 20
    const speeds: number[] = []
    // 0.5 Mbit/s: a block every 16.8 s.
    for (let ms = 250; ms <= 120_000; ms += 250) {
      meter.update(ms, Math.floor((ms * 62.5) / block) * block)
      if (ms > 40_000) speeds.push(meter.bytesPerSecond)
    }
    expect(Math.min(...speeds)).toBeGreaterThan(60_000)
    expect(Math.max(...speeds)).toBeLessThan(65_000)
    const bytes = Math.floor((120_000 * 62.5) / block) * block
    for (let ms = 120_250; ms <= 180_000; ms += 250) meter.update(ms, bytes)
    expect(meter.bytesPerSecond).toBeLessThan(20_000)
  })

  it('gives the time left, and none while nothing moves', () => {
    const meter = new SpeedMeter(0)
    expect(meter.secondsLeft(5)).toBeUndefined()
    meter.update(1000, 1000)
    expect([meter.secondsLeft(5000), meter.secondsLeft(0)]).toEqual([5, 0])
  })
})
