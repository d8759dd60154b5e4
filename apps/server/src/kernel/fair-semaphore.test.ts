import { describe, expect, it } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const never = new AbortController().signal

describe('a fair semaphore', () => {
  it('leaves places to others however much one owner asks for, and forgets those who left', async () => {
    const semaphore = new FairSemaphore({ total: 3, perOwner: 2 })
    const gate = Promise.withResolvers<void>()
    const running: string[] = []
    const enter = (owner: string) =>
      semaphore.run({ owner, signal: never }, async () => {
        running.push(owner)
        await gate.promise
      })
    const all = [...Array.from({ length: 5 }, () => enter('a')), enter('b'), enter('c')]
    await new Promise((done) => setImmediate(done))
    expect(running).toEqual(['a', 'a', 'b'])
    gate.resolve()
    await Promise.all(all)
    expect(running.toSorted()).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'c'])
  })

  it('lets a waiting holder leave', async () => {
    const semaphore = new FairSemaphore({ total: 1, perOwner: 1 })
    const gate = Promise.withResolvers<void>()
    const leaving = new AbortController()
    const first = semaphore.run({ owner: 'a', signal: never }, () => gate.promise)
    const second = semaphore.run({ owner: 'b', signal: leaving.signal }, () => Promise.resolve('ran'))
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    gate.resolve()
    await first
  })
})
