import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulate } from './simulate.ts'
import type { SimulationOptions, SimulationResult } from './simulate.types.ts'

const FILE: SimulationOptions = { seed: 1, rateMbit: 20, rttMs: 40, seconds: 120, bytes: 500_000, isVerified: true }

/** The transfer ended, and every byte, nonce and window was right. */
function expectIntact(result: SimulationResult): void {
  expect(result.faults).toEqual([])
  expect(result.flows[0]?.bytes).toBe(result.options.bytes)
}

describe('a simulation', () => {
  it('gives the same trace for the same seed, and another for another', () => {
    const options = { ...FILE, lossPercent: 2, forward: { jitterUs: 5000, duplicate: 0.01 } }
    expect(simulate(options).traceHash).toBe(simulate(options).traceHash)
    expect(simulate({ ...options, seed: 2 }).traceHash).not.toBe(simulate(options).traceHash)
  })

  it('gives this trace on every machine', () => {
    expect(simulate({ ...FILE, seed: 7, lossPercent: 1, cross: [{ kind: 'cubic' }] }).traceHash).toMatchInlineSnapshot(
      `"fc0384e4"`,
    )
  })
})

describe('opening a path', () => {
  const first: SimulationOptions = { ...FILE, bytes: 1000, seconds: 300, rateMbit: 10 }

  it('succeeds 50 times of 50 at 30 % loss in bursts of 3, both ways (fault plan 40)', () => {
    const loss = { lossPercent: 30, lossBurst: 3, reverseLossPercent: 30 }
    for (let seed = 1; seed <= 50; seed++) expectIntact(simulate({ ...first, ...loss, seed }))
  })

  it('succeeds 50 times of 50 at 30 % corruption, both ways, and takes no corrupt packet (fault plan 41)', () => {
    const flips = { forward: { corrupt: 0.3 }, reverse: { corrupt: 0.3 } }
    for (let seed = 1; seed <= 50; seed++) expectIntact(simulate({ ...first, ...flips, seed }))
  })
})

describe('a transfer arrives whole', () => {
  const rows: ReadonlyArray<readonly [string, Partial<SimulationOptions>]> = [
    ['at 2 % loss (fault plan 42)', { lossPercent: 2, reverseLossPercent: 2 }],
    ['at 2 % corruption (fault plan 42)', { forward: { corrupt: 0.02 }, reverse: { corrupt: 0.02 } }],
    ['through 5 s on, 2 s off, 10 MB at 10 Mbit/s (fault plan 43)', blinking()],
    ['with a new sender address every 2 s (fault plan 44)', { rateMbit: 1, rebindSeconds: 2 }],
    ['with a new receiver address every 2 s (fault plan 44)', { rateMbit: 1, rebindSeconds: 2, direction: 'download' }],
    ['at 10 % reordering and 10 % copies (fault plan 45)', unordered()],
    ['with packets of 600 bytes (fault plan 45)', { maxPacketSize: 600 }],
    ['with packets of 1442 bytes (fault plan 45)', { maxPacketSize: 1442 }],
    ['over an MTU of 1228 bytes', { forward: { mtu: 1228 } }],
    ['over an MTU of 700 bytes', { forward: { mtu: 700 } }],
    ['over an acknowledgement path of 200 kbit/s', { reverseRateMbit: 0.2 }],
    ['past a policer of half the rate', { forward: { policer: { rate: 10e6, burstBytes: 30_000 } } }],
    ['with jitter of half a round trip', { forward: { jitterUs: 20_000 } }],
    ['from the server to the client', { direction: 'download', lossPercent: 2 }],
    ['with a saved rate ten times too high', { saved: { bitsPerSecond: 200e6, minRttUs: 40_000, lossBaseline: 0 } }],
    ['of one byte', { bytes: 1, lossPercent: 10 }],
  ]
  it.each(rows)('%s', (_name, options) => {
    expectIntact(simulate({ ...FILE, ...options }))
  })

  it('for any seed, loss up to 30 %, reordering and copies', () => {
    const share = (most: number) => fc.double({ min: 0, max: most, noNaN: true })
    const line = fc.record({
      loss: share(30),
      back: share(30),
      reorder: share(0.2),
      duplicate: share(0.2),
      seed: fc.nat(),
    })
    fc.assert(
      fc.property(line, ({ loss, back, reorder, duplicate, seed }) => {
        const way = { reorder, reorderUs: 15_000, duplicate }
        const lossy = { lossPercent: loss, reverseLossPercent: back, forward: way, reverse: way }
        expectIntact(simulate({ ...FILE, ...lossy, bytes: 200_000, seconds: 600, seed }))
      }),
      { numRuns: 20 },
    )
  })
})

describe('after the packet size of a path has shrunk', () => {
  it('the transfer goes on with smaller packets', () => {
    const result = simulate({ ...FILE, bytes: 6_000_000, forward: { mtu: 1500, ...shrinking() } })
    expectIntact(result)
  })
})

describe('the limits of a sender', () => {
  it.each([1, 5, 15])('a ceiling of %d Mbit/s holds within 5 % (fault plan 47)', (ceilingMbit) => {
    const result = simulate({ ...FILE, seconds: 10, bytes: ceilingMbit * 1_000_000, ceilingMbit, warmUpSeconds: 1 })
    const sent = ((result.flows[0]?.sender.sentBytes ?? 0) * 8) / (result.flows[0]?.finishedSeconds ?? 10) / 1e6
    expect(sent / ceilingMbit).toBeGreaterThan(0.95)
    expect(sent / ceilingMbit).toBeLessThan(1.05)
  })

  it('repeats less than 0.5 % in vain at 2 % reordering', () => {
    const way = { reorder: 0.02, reorderUs: 8000 }
    const sender = simulate({ ...FILE, bytes: 8_000_000, forward: way }).flows[0]?.sender
    expect((sender?.spuriousPackets ?? 0) / (sender?.sentPackets ?? 1)).toBeLessThan(0.005)
  })

  it('a saved model brings 90 % of the rate within 4 round trips, validation included', () => {
    const saved = { bitsPerSecond: 95e6, minRttUs: 100_000, lossBaseline: 0 }
    const result = simulate({ seed: 1, rateMbit: 100, rttMs: 100, seconds: 1, saved, sampleMs: 50, warmUpSeconds: 0 })
    expect(result.flows[0]?.secondsTo90).toBeLessThanOrEqual(0.55)
  })

  it('leaves its start-up when the receiver lets less be under way than it would send, and takes its queue along', () => {
    const receiveWindow = 1_750_000
    const line = { seed: 1, rateMbit: 100, rttMs: 100, seconds: 5, receiveWindow, warmUpSeconds: 2 }
    const result = simulate(line)
    expect(result.flows[0]?.samples.at(-1)?.phase).not.toBe('startup')
    expect(result.flows[0]?.samples.at(-1)?.rttMs).toBeLessThan(110)
    expect(result.steadyShare).toBeGreaterThan(0.98)
  })

  it('without one it takes at most 8 round trips after validation at 100 Mbit/s and 100 ms', () => {
    const result = simulate({ seed: 1, rateMbit: 100, rttMs: 100, seconds: 2, sampleMs: 50, warmUpSeconds: 0 })
    expect(result.flows[0]?.secondsTo90).toBeLessThanOrEqual(0.9)
  })
})

function blinking(): Partial<SimulationOptions> {
  const isDown = (now: number): boolean => now % 7e6 > 5e6
  return { rateMbit: 10, bytes: 10_000_000, isVerified: false, forward: { isDown }, reverse: { isDown } }
}

function unordered(): Partial<SimulationOptions> {
  const way = { reorder: 0.1, reorderUs: 10_000, duplicate: 0.1 }
  return { forward: way, reverse: way }
}

/** Full packets vanish from one second on. */
function shrinking() {
  return { mtuAfter: { seconds: 1, mtu: 1260 } }
}
