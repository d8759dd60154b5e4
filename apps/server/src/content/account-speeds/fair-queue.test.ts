import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue, type Sharer } from './fair-queue.ts'

interface Request {
  readonly sharer: string
  readonly size: number
}

/** Each sharer always has this many requests waiting. @returns bytes of each after so many turns */
function shared(sharers: ReadonlyArray<Sharer & { readonly size: number; readonly lanes: number }>, turns: number) {
  const queue = new FairQueue<Request>()
  const had = new Map(sharers.map(({ key }) => [key, 0]))
  const ask = (key: string): void => {
    const sharer = sharers.find((each) => each.key === key)
    if (sharer !== undefined) queue.push(sharer, sharer.size, { sharer: key, size: sharer.size })
  }
  for (const { key, lanes } of sharers) for (let lane = 0; lane < lanes; lane++) ask(key)
  for (let turn = 0; turn < turns; turn++) {
    const next = queue.shift()
    if (next === undefined) break
    had.set(next.sharer, (had.get(next.sharer) ?? 0) + next.size)
    ask(next.sharer)
  }
  return had
}

const sizes = fc.integer({ min: 1, max: 1000 })
const weights = fc.integer({ min: 1, max: 100 })
const lanes = fc.integer({ min: 1, max: 20 })

describe('a queue that is fair to sharers', () => {
  it('gives each a part by its weight, however many requests it has and however large they are', () => {
    const sharer = fc.record({ weight: weights, size: sizes, lanes })
    fc.assert(
      fc.property(fc.array(sharer, { minLength: 2, maxLength: 6 }), (drawn) => {
        const sharers = drawn.map((each, at) => ({ ...each, key: String(at) }))
        const had = shared(sharers, 2000)
        for (const one of sharers) {
          for (const other of sharers) {
            // The bound of the method: one request of each.
            const apart = Math.abs((had.get(one.key) ?? 0) / one.weight - (had.get(other.key) ?? 0) / other.weight)
            expect(apart).toBeLessThanOrEqual(one.size / one.weight + other.size / other.weight + 1e-6)
          }
        }
      }),
    )
  })

  it('keeps the order of one sharer, and loses and doubles nothing', () => {
    const asked = fc.array(fc.record({ sharer: fc.constantFrom('a', 'b', 'c'), size: sizes }), { maxLength: 100 })
    fc.assert(
      fc.property(asked, (requests) => {
        const queue = new FairQueue<Request>()
        for (const one of requests) queue.push({ key: one.sharer, weight: 1 }, one.size, one)
        const taken: Request[] = []
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) taken.push(next)
        expect(taken).toHaveLength(requests.length)
        for (const key of ['a', 'b', 'c'])
          expect(taken.filter(({ sharer }) => sharer === key)).toEqual(requests.filter(({ sharer }) => sharer === key))
      }),
    )
  })

  it('lets one that comes late begin with the others, not before them', () => {
    const queue = new FairQueue<string>()
    const [early, late] = ['early', 'late'].map((key) => ({ key, weight: 1 })) as [Sharer, Sharer]
    for (let at = 0; at < 20; at++) queue.push(early, 10, 'early')
    for (let at = 0; at < 10; at++) queue.shift()
    for (let at = 0; at < 10; at++) queue.push(late, 10, 'late')
    const order = Array.from({ length: 20 }, () => queue.shift())
    expect(order.slice(0, 10).filter((each) => each === 'late').length).toBeGreaterThanOrEqual(4)
    expect(order.slice(0, 10).filter((each) => each === 'early').length).toBeGreaterThanOrEqual(4)
  })

  it('forgets who gave up, and what everybody had once nobody waits', () => {
    const queue = new FairQueue<string>()
    queue.push({ key: 'a', weight: 1 }, 1e9, 'large')
    queue.push({ key: 'b', weight: 1 }, 1, 'small')
    queue.remove('large')
    queue.remove('never there')
    expect([queue.length, queue.first(), queue.shift(), queue.shift()]).toEqual([1, 'small', 'small', undefined])
    queue.push({ key: 'a', weight: 1 }, 1, 'again')
    queue.push({ key: 'b', weight: 1 }, 1, 'behind')
    expect(queue.shift()).toBe('again')
    queue.push({ key: 'a', weight: 1 }, 1e9, 'given up')
    queue.remove('given up')
    queue.push({ key: 'b', weight: 1 }, 2, 'second')
    queue.push({ key: 'b', weight: 1 }, 1, 'fourth')
    queue.push({ key: 'a', weight: 1 }, 1, 'third')
    expect(Array.from({ length: 4 }, () => queue.shift())).toEqual(['behind', 'second', 'third', 'fourth'])
  })
})
