import { describe, expect, it } from 'vitest'
import { PartMemory } from './part-memory.ts'

/** Holds memory of this size until told how its work ends. */
function part(memory: PartMemory, bytes: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let lent: Buffer | undefined
  const ended = memory.with(bytes, (given) => {
    lent = given
    return promise
  })
  return {
    lent: () => lent,
    end: async () => {
      resolve()
      await ended
    },
    fail: async () => {
      reject(new Error('broken off'))
      await expect(ended).rejects.toThrow('broken off')
    },
  }
}

describe('memory of parts', () => {
  it('is used again by the next part, also by a shorter one, while others are under way', async () => {
    const memory = new PartMemory()
    const [one, other] = [part(memory, 100), part(memory, 100)]
    expect(one.lent()?.buffer).not.toBe(other.lent()?.buffer)
    await one.end()
    const next = part(memory, 60)
    expect(next.lent()?.buffer).toBe(one.lent()?.buffer)
    expect(next.lent()).toHaveLength(60)
    await next.end()
    const larger = part(memory, 101)
    expect(larger.lent()?.buffer).not.toBe(one.lent()?.buffer)
    await Promise.all([larger.end(), other.end()])
  })

  it('is not used again where a request was broken off, which may still send from it', async () => {
    const memory = new PartMemory()
    const [one, other] = [part(memory, 100), part(memory, 100)]
    await one.fail()
    const next = part(memory, 100)
    expect(next.lent()?.buffer).not.toBe(one.lent()?.buffer)
    await Promise.all([next.end(), other.end()])
  })

  it('is given back once no part is under way', async () => {
    const memory = new PartMemory()
    const one = part(memory, 100)
    await one.end()
    const next = part(memory, 100)
    expect(next.lent()?.buffer).not.toBe(one.lent()?.buffer)
    await next.end()
  })
})
