import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowWeights } from './flow-weights.policy.ts'

const flow = (key: string, weight = 10) => ({ sharer: { key, weight } })
const weightsOf = (...flows: Array<ReturnType<typeof flow>>) => [...flowWeights(flows).values()]

describe('the weights of transfers on a line without a limit', () => {
  it('are those of equals where every account has as many of them', () => {
    expect(weightsOf()).toEqual([])
    expect(weightsOf(flow('mei'))).toEqual([1])
    expect(weightsOf(flow('mei'), flow('mei'), flow('mei'))).toEqual([1, 1, 1])
    expect(weightsOf(flow('mei'), flow('lin'), flow('mei'), flow('lin'))).toEqual([1, 1, 1, 1])
    expect(weightsOf(flow('mei', 70), flow('lin', 70))).toEqual([1, 1])
  })

  it('give each account its part, however many it has', () => {
    expect(weightsOf(flow('mei'), flow('mei'), flow('lin'))).toEqual([0.75, 0.75, 1.5])
    expect(weightsOf(flow('mei', 30), flow('lin', 10))).toEqual([1.5, 0.5])
    expect(weightsOf(flow('mei', 10), flow('mei', 10), flow('lin', 40))).toEqual([0.25, 0.25, 2])
  })

  it('are from 0.1 to 2, whatever the accounts are', () => {
    const some = fc.array(
      fc.record({ key: fc.constantFrom('mei', 'lin', 'wu', 'yan'), weight: fc.integer({ min: 1, max: 100 }) }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(some, (sharers) => {
        const flows = sharers.map((sharer) => ({ sharer }))
        const weights = flowWeights(flows)
        expect([...weights.keys()]).toEqual(flows)
        for (const weight of weights.values()) {
          expect(weight).toBeGreaterThanOrEqual(0.1)
          expect(weight).toBeLessThanOrEqual(2)
        }
        // Of one account, a transfer of a place where it weighs more has no less.
        const heaviest = flows.toSorted((a, b) => b.sharer.weight - a.sharer.weight)
        for (const key of ['mei', 'lin', 'wu', 'yan']) {
          const own = heaviest.filter(({ sharer }) => sharer.key === key).map((each) => weights.get(each) ?? 0)
          expect(own).toEqual(own.toSorted((a, b) => b - a))
        }
      }),
    )
  })
})
