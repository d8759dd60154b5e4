import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

describe('a semaphore', () => {
  it('never has more places out than there are, and serves everyone, whatever they take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 40 }), async (wanted) => {
        const semaphore = new Semaphore(10)
        let held = 0
        let most = 0
        const served = await Promise.all(
          wanted.map((places, at) =>
            semaphore.run(
              async () => {
                held += places
                most = Math.max(most, held)
                for (let turn = 0; turn < at % 4; turn++) await Promise.resolve()
                held -= places
                return at
              },
              undefined,
              places,
            ),
          ),
        )
        expect(served).toEqual(wanted.map((_places, at) => at))
        expect([held, most <= 10]).toEqual([0, true])
      }),
    )
  })

  it('does not let small ones overtake a large one for ever', async () => {
    const semaphore = new Semaphore(2)
    const gate = Promise.withResolvers<void>()
    const order: string[] = []
    const enter = (name: string, places: number, until?: Promise<void>) =>
      semaphore.run(
        async () => {
          order.push(name)
          await until
        },
        undefined,
        places,
      )
    const all = [enter('first', 1, gate.promise), enter('large', 2), enter('small', 1)]
    await Promise.resolve()
    expect(order).toEqual(['first'])
    gate.resolve()
    await Promise.all(all)
    expect(order).toEqual(['first', 'large', 'small'])
  })

  it('lets those behind go on when the first in line leaves, and refuses what can never fit', async () => {
    const semaphore = new Semaphore(2)
    const gate = Promise.withResolvers<void>()
    const leaving = new AbortController()
    const holder = semaphore.run(() => gate.promise)
    const large = semaphore.run(() => Promise.resolve(), leaving.signal, 2)
    const small = semaphore.run(() => Promise.resolve('served'))
    leaving.abort(new Error('left'))
    await expect(large).rejects.toThrow('left')
    expect(await small).toBe('served')
    gate.resolve()
    await holder
    await expect(semaphore.run(() => Promise.resolve(), undefined, 3)).rejects.toThrow(RangeError)
  })

  it('gives its places back when the work fails', async () => {
    const semaphore = new Semaphore(1)
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next')
  })
})
