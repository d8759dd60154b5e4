import { describe, expect, it } from 'vitest'
import { simulate } from './simulate.ts'

/** The figures of figures.it.test.ts on a line a tenth as fast: the same shape for a tenth of the work. */
const LINE = { seed: 3, rateMbit: 10, seconds: 15, sampleMs: 1000 }

describe('a slower lossy line is filled', () => {
  it.each([
    [50, 1, 0.95],
    [100, 5, 0.93],
    [200, 10, 0.9],
  ] as const)('at %d ms, losing %d in a hundred, to %d of the limit', (rttMs, lossPercent, least) => {
    expect(simulate({ ...LINE, rttMs, lossPercent }).steadyShare).toBeGreaterThanOrEqual(least)
  })
})

describe('others keep their share of a slower line', () => {
  it('one cubic flow on 10 Mbit/s keeps at least 30 % (fault plan 47)', () => {
    const result = simulate({ ...LINE, rttMs: 50, seconds: 40, warmUpSeconds: 10, cross: [{ kind: 'cubic' }] })
    expect(result.crossMbit[0]).toBeGreaterThanOrEqual(3)
    expect(result.flows[0]?.steadyMbit).toBeGreaterThanOrEqual(2)
  })
})
