import { describe, expect, it } from 'vitest'
import { simulate } from './simulate.ts'

const LINE = { seed: 3, rateMbit: 100, seconds: 12, sampleMs: 1000 }
const SHARED = { seed: 1, rateMbit: 100, rttMs: 50, seconds: 40, warmUpSeconds: 10, sampleMs: 1000 }

describe('a lossy line is filled', () => {
  it.each([
    [1, 1, 0.95],
    [100, 1, 0.95],
    [200, 5, 0.95],
    [300, 10, 0.93],
  ] as const)('at %d ms, losing %d in a hundred, to %d of the limit', (rttMs, lossPercent, least) => {
    expect(simulate({ ...LINE, rttMs, lossPercent }).steadyShare).toBeGreaterThanOrEqual(least)
  })

  it.each([1, 2, 3])('when the losses strike behind the bottleneck, with seed %d', (seed) => {
    const result = simulate({ ...LINE, seed, rttMs: 50, lossPercent: 5, isLossAfter: true })
    expect(result.steadyShare).toBeGreaterThanOrEqual(0.95)
  })

  it.each([
    [50, 0],
    [100, 1],
    [200, 1],
  ] as const)(
    'at %d ms, losing %d in a hundred, when packets overtake by a fifth of that and 1 % come twice',
    (rttMs, lossPercent) => {
      const way = { jitterUs: rttMs * 200, duplicate: 0.01 }
      const result = simulate({ ...LINE, rttMs, lossPercent, forward: way, reverse: way })
      expect(result.steadyShare).toBeGreaterThanOrEqual(0.85)
    },
  )

  it.each([
    [200, 5],
    [300, 10],
  ] as const)('by a file of 2 GB as a whole, at 200 Mbit/s, %d ms, losing %d in a hundred', (rttMs, lossPercent) => {
    const result = simulate({ ...LINE, rateMbit: 200, rttMs, lossPercent, seconds: 120, bytes: 2e9 })
    expect(result.wholeShare).toBeGreaterThanOrEqual(0.95)
  })

  it('when losses come in bursts of eight', () => {
    expect(simulate({ ...LINE, rttMs: 50, lossPercent: 1, lossBurst: 8 }).steadyShare).toBeGreaterThanOrEqual(0.95)
  })

  it('when timers fire on whole milliseconds', () => {
    expect(simulate({ ...LINE, rttMs: 50, lossPercent: 1, timerGrainUs: 1000 }).steadyShare).toBeGreaterThanOrEqual(
      0.95,
    )
  })

  it('with a queue of a tenth of the bandwidth-delay product, losing at most 2 % to it', () => {
    const result = simulate({ ...LINE, rttMs: 50, queueBdp: 0.1 })
    const sender = result.flows[0]?.sender
    expect(result.steadyShare).toBeGreaterThanOrEqual(0.95)
    expect((sender?.lostPackets ?? 0) / (sender?.sentPackets ?? 1)).toBeLessThan(0.04)
  })
})

/** Shares of time that the hosts are away bound what they can carry: a sender that stands still leaves the line empty. */
describe('a line between busy hosts is filled', () => {
  it.each([
    ['that are away 4 ms of 14, and 100 ms apart', { pauseEveryUs: 10_000, pauseUs: 4000 }, 100, 0.95],
    ['that are away 5 ms of 55, and 20 ms apart', { pauseEveryUs: 50_000, pauseUs: 5000 }, 20, 0.95],
    ['that are away 20 ms of 120, and 100 ms apart', { pauseEveryUs: 100_000, pauseUs: 20_000 }, 100, 0.88],
    ['that are away 60 ms of 210, and 200 ms apart', { pauseEveryUs: 150_000, pauseUs: 60_000 }, 200, 0.7],
  ] as const)('%s', (_name, pauses, rttMs, least) => {
    for (const isStamped of [false, true]) {
      const result = simulate({ ...LINE, rttMs, lossPercent: 1, hosts: { ...pauses, tickUs: 1000, isStamped } })
      expect(result.steadyShare).toBeGreaterThanOrEqual(least)
    }
  })
})

describe('others keep their share', () => {
  it('one cubic flow keeps at least 35 % of the line (50 ms, 100 Mbit/s, queue 1 BDP)', () => {
    expect(simulate({ ...SHARED, cross: [{ kind: 'cubic' }] }).crossMbit[0]).toBeGreaterThanOrEqual(35)
  })

  it('one cubic flow keeps at least 90 % beside policy low', () => {
    const flows = [{ policy: { kind: 'low' }, startSeconds: 5 }] as const
    expect(simulate({ ...SHARED, flows, cross: [{ kind: 'cubic' }] }).crossMbit[0]).toBeGreaterThanOrEqual(0.9 * 95.6)
  })

  it.each([
    [2, 1.6, 3.5, {}],
    [4, 2.8, 6, {}],
    [0.25, 1 / 14, 1 / 4, {}],
    [4, 3, 7, { queueBdp: 0.25 }],
    [4, 2, 4, { lossPercent: 1 }],
    [4, 1.05, 3, { rttMs: 100, queueBdp: 2 }],
  ])('a flow that weighs %d has %d to %d times as much as one that weighs 1 (%o)', (weight, least, most, line) => {
    const flows = [1, weight].map((each, at) => ({
      startSeconds: 2 * at,
      policy: { kind: 'fair', weight: each } as const,
    }))
    const result = simulate({ ...SHARED, seconds: 90, warmUpSeconds: 30, ...line, flows })
    const [one = 0, other = 0] = result.flows.map(({ steadyMbit }) => steadyMbit)
    expect(other / one).toBeGreaterThanOrEqual(least)
    expect(other / one).toBeLessThanOrEqual(most)
    // A weight costs the line nothing.
    expect(one + other).toBeGreaterThanOrEqual(0.88 * result.limitMbit)
  })

  it('four flows of a quarter have together what one has that weighs 1', () => {
    const flows = [1, 0.25, 0.25, 0.25, 0.25].map((weight, at) => ({
      startSeconds: 2 * at,
      policy: { kind: 'fair', weight } as const,
    }))
    const { flows: shares, limitMbit } = simulate({ ...SHARED, seconds: 90, warmUpSeconds: 30, flows })
    const [alone = 0] = shares.map(({ steadyMbit }) => steadyMbit)
    expect(alone / limitMbit).toBeGreaterThanOrEqual(0.4)
    expect(alone / limitMbit).toBeLessThanOrEqual(0.75)
  })

  it('five own flows share with a Jain index of at least 0.95', () => {
    const flows = [0, 2, 4, 6, 8].map((startSeconds) => ({ startSeconds }))
    expect(simulate({ ...SHARED, seconds: 50, warmUpSeconds: 20, flows }).fairness).toBeGreaterThanOrEqual(0.95)
  })
})
