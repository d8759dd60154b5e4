import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, type Sharer, sharesOf } from './transfer-shares.policy.ts'

const NOW = 1_700_000_000_000
const MB = 1e6
/** No transfer of these tests has that much time. */
const TOO_LONG_MS = 24 * 3_600_000
/** As a share of what is exact. */
const ROUNDING = 1.000_001

function transfer(id: string, more: Partial<Sharer> = {}): Sharer {
  const rate = more.rate ?? 5 * MB
  return {
    ...{ id, priority: 'normal', remaining: 100 * MB, rate, reach: rate, limit: 0, deadline: 0 },
    ...{ isHurried: false, isSettled: false, ...more },
  }
}

const inSeconds = (seconds: number): number => NOW + seconds * 1000
const line = (rate: number, kept = 0.1): Line => ({ rate, kept })

const sharer = fc.record({
  priority: fc.constantFrom('low', 'normal', 'high'),
  remaining: fc.integer({ min: 0, max: 10_000 * MB }),
  rate: fc.integer({ min: 0, max: 100 * MB }),
  reach: fc.integer({ min: 0, max: 100 * MB }),
  limit: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 * MB })),
  deadline: fc.oneof(fc.constant(0), fc.integer({ min: NOW - 60_000, max: NOW + 7_200_000 })),
  isHurried: fc.boolean(),
  isSettled: fc.boolean(),
})
const sharers = fc
  .array(sharer, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((one, at): Sharer => ({ ...one, id: String(at) })))
const lines = fc.record({
  rate: fc.integer({ min: 1, max: 500 * MB }),
  kept: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
})

describe('transfers that share a line', () => {
  it('are slowed down by none of them as long as nobody is in a hurry', () => {
    fc.assert(
      fc.property(lines, sharers, (given, all) => {
        const shares = [...sharesOf(given, all, NOW).values()]
        if (shares.some(({ isHurried }) => isHurried)) return
        expect(shares.every(({ pace }) => pace === 0)).toBe(true)
      }),
    )
    const easy = [transfer('a', { deadline: inSeconds(1000) }), transfer('b')]
    expect(sharesOf(line(10 * MB), easy, NOW).get('a')).toEqual({ isHurried: false, pace: 0, lateMs: 0 })
  })

  it('give way to the one in a hurry, which is slowed down by nobody; whoever has no deadline is never in one', () => {
    fc.assert(
      fc.property(lines, sharers, (given, all) => {
        const shares = sharesOf(given, all, NOW)
        const isAnyHurried = [...shares.values()].some(({ isHurried }) => isHurried)
        for (const { id, deadline } of all) {
          const share = shares.get(id)
          expect(share).toBeDefined()
          if (deadline === 0) expect(share).toMatchObject({ isHurried: false, lateMs: 0 })
          expect(share?.pace === 0).toBe(share?.isHurried === true || !isAnyHurried)
        }
      }),
    )
  })

  it('keep together at least the part of their equal shares that a line leaves them, and fit on it with the rest', () => {
    fc.assert(
      fc.property(lines, sharers, (given, all) => {
        const shares = sharesOf(given, all, NOW)
        const weights = { low: 0.25, normal: 1, high: 2 }
        const weightOf = (some: readonly Sharer[]): number => some.reduce((sum, one) => sum + weights[one.priority], 0)
        const calm = all.filter(({ id }) => shares.get(id)?.isHurried === false)
        if (calm.length === all.length || calm.length === 0) return
        const paced = calm.reduce((sum, { id }) => sum + (shares.get(id)?.pace ?? 0), 0)
        const least = (given.kept * given.rate * weightOf(calm)) / weightOf(all)
        expect(paced * ROUNDING).toBeGreaterThanOrEqual(least)
        // At least a byte a second for each of them.
        expect(paced).toBeLessThanOrEqual(given.rate * ROUNDING + calm.length)
      }),
    )
  })

  it('are judged alike in every order', () => {
    const shuffled = sharers.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length })),
    )
    fc.assert(
      fc.property(lines, shuffled, (given, [all, other]) => {
        const one = sharesOf(given, all, NOW)
        const two = sharesOf(given, other, NOW)
        for (const { id } of all) {
          expect(two.get(id)?.isHurried).toBe(one.get(id)?.isHurried)
          expect(two.get(id)?.pace).toBeCloseTo(one.get(id)?.pace ?? -1, 0)
        }
      }),
    )
  })

  it('come no later for a later deadline', () => {
    fc.assert(
      fc.property(lines, sharers, fc.integer({ min: 1, max: 3_600_000 }), (given, all, more) => {
        const [first] = all
        if (first === undefined || first.deadline === 0) return
        const early = sharesOf(given, [first], NOW).get(first.id)?.lateMs ?? -1
        const late = sharesOf(given, [{ ...first, deadline: first.deadline + more }], NOW).get(first.id)?.lateMs ?? -1
        expect(late).toBeLessThanOrEqual(early)
      }),
    )
  })

  it('bring one in time that the line can carry, whatever the others are', () => {
    const rivals = fc.array(fc.constantFrom('low', 'normal', 'high'), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        rivals,
        fc.integer({ min: 30, max: 3600 }),
        fc.double({ min: 0.05, max: 0.7, noNaN: true }),
        (others, time, part) => {
          const rate = 50 * MB
          const wanted = transfer('wanted', { remaining: rate * time * part, rate: 0, deadline: inSeconds(time) })
          const all = [wanted, ...others.map((priority, at) => transfer(String(at), { priority, rate: 0 }))]
          expect(arrivalOf(all, rate)).toBeLessThanOrEqual(inSeconds(time))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('say by how much one comes too late when the whole line is not enough', () => {
    const far = transfer('far', { remaining: 100 * MB, deadline: inSeconds(5) })
    expect(sharesOf(line(10 * MB), [far], NOW).get('far')?.lateMs).toBe(5_000)
    // Beside another, whose least part it does not get.
    const both = sharesOf(line(10 * MB), [far, transfer('other')], NOW).get('far')
    expect(both?.lateMs).toBeGreaterThan(5_000)
    expect(both?.lateMs).toBeLessThan(6_000)
    // What it cannot get, the line of its own being slow, it is not promised.
    const slow = transfer('slow', { rate: MB, deadline: inSeconds(20), isSettled: true })
    expect(sharesOf(line(50 * MB), [slow, transfer('other', { rate: 49 * MB })], NOW).get('slow')?.lateMs).toBe(80_000)
    // A limit of its own is nothing that others could give way for.
    const limited = transfer('limited', { rate: MB, limit: MB, deadline: inSeconds(20) })
    const beside = sharesOf(line(50 * MB), [limited, transfer('other')], NOW)
    expect(beside.get('limited')).toEqual({ isHurried: false, pace: 0, lateMs: 80_000 })
  })

  it('leave what a slow one does not use to the others that give way', () => {
    const all = [
      transfer('hurried', { rate: 15 * MB, remaining: 400 * MB, deadline: inSeconds(10) }),
      transfer('slow', { rate: 5 * MB }),
      transfer('fast', { rate: 80 * MB }),
    ]
    const given = sharesOf(line(100 * MB), all, NOW)
    expect(given.get('hurried')).toMatchObject({ isHurried: true, pace: 0 })
    expect(given.get('slow')?.pace).toBeCloseTo(7.5 * MB, 0)
    // The equal share of the first is free for it, until it has shown what it takes.
    expect(given.get('fast')?.pace).toBeCloseTo((100 - 100 / 3 - 7.5) * MB, 0)
    const settled = all.map((one) => ({ ...one, isSettled: true }))
    expect(sharesOf(line(100 * MB), settled, NOW).get('fast')?.pace).toBeCloseTo((100 - 22.5 - 7.5) * MB, 0)
  })
})

/** A line that divides itself into equal flows, looked at once a second. @returns when the first transfer has arrived */
function arrivalOf(begun: readonly Sharer[], rate: number): number {
  let all = begun
  for (let now = NOW; now < NOW + TOO_LONG_MS;) {
    const shares = sharesOf(line(rate), all, now)
    const paceOf = ({ id }: Sharer): number => shares.get(id)?.pace || Infinity
    let left = rate
    let open = [...all].toSorted((a, b) => paceOf(a) - paceOf(b))
    const rates = new Map<string, number>()
    while (open.length > 0) {
      const [next, ...rest] = open
      if (next === undefined) break
      const got = Math.min(paceOf(next), left / open.length)
      rates.set(next.id, got)
      left -= got
      open = rest
    }
    all = all.map((one) => {
      const got = rates.get(one.id) ?? 0
      return { ...one, rate: got, reach: got, isHurried: shares.get(one.id)?.isHurried === true }
    })
    now += 1000
    const [first, ...others] = all
    if (first === undefined) throw new Error('nobody sends')
    const remaining = first.remaining - first.rate
    if (remaining <= 0) return now - ((first.rate - first.remaining) / first.rate) * 1000
    all = [{ ...first, remaining }, ...others]
  }
  return Infinity
}
