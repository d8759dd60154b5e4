import { describe, expect, it } from 'vitest'
import { type BottleneckFacts, nameBottleneck } from './bottleneck.ts'
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
    expect(name({ heldBySource: 0.7 })).toEqual({
      name: 'sender disk',
      text: 'reading held up sending 70 % of the time',
    })
    expect(name({ heldByLimit: 0.9 })).toEqual({ name: 'policy limit', text: 'limited to 20.0 Mbit/s' })
    expect(name({ heldByPeerWindow: 0.6 }).name).toBe('peer window')
    expect(name({ heldByPeerWindow: 0.6, peerDisk: 0.95 }).name).toBe('receiver disk')
    expect(name({ heldByNetwork: 1 })).toEqual({ name: 'line', text: 'the line carries 95.0 Mbit/s, round trip 80 ms' })
    expect(name({ heldByNetwork: 1, lossRate: 0.05 }).name).toBe('loss')
    expect(name({ heldByNetwork: 1, isStarting: true }).name).toBe('RTT')
    expect(name({ heldByNetwork: 1, cpu: 0.97 }).name).toBe('CPU')
    expect(name({ idle: 0.9 }).name).toBe('nothing to send')
  })
})

describe('the speed shown', () => {
  it('is the average at first, then follows what changes within seconds', () => {
    const meter = new SpeedMeter(0)
    for (let ms = 500; ms <= 10_000; ms += 500) meter.update(ms, ms * 1000)
    expect(meter.bytesPerSecond).toBeCloseTo(1e6, -3)
    for (let ms = 10_500; ms <= 20_000; ms += 500) meter.update(ms, 1e7)
    expect(meter.bytesPerSecond).toBeLessThan(50_000)
  })

  it('gives the time left, and none while nothing moves', () => {
    const meter = new SpeedMeter(0)
    expect(meter.secondsLeft(5)).toBeUndefined()
    meter.update(1000, 1000)
    expect([meter.secondsLeft(5000), meter.secondsLeft(0)]).toEqual([5, 0])
  })
})
