import { KiB } from '@godwit/base'
import type { BlockLender } from '@godwit/storage'
import { describe, expect, it, vi } from 'vitest'
import type { RequestBytes } from '../../kernel/endpoint.ts'
import { AdmittedBody } from './admitted-body.ts'
import { BodyMemory } from './body-memory.ts'

/** Memory for two bodies. */
const twoBodies = () => new BodyMemory(128 * KiB)

function fakeBody(): RequestBytes & { reads: number; isClosed: boolean } {
  return {
    reads: 0,
    isClosed: false,
    fillFrom(_lender: BlockLender) {},
    next() {
      this.reads++
      return Promise.resolve({ value: Uint8Array.of(1), done: false })
    },
    return: () => Promise.resolve({ value: undefined, done: true }),
    close() {
      this.isClosed = true
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

describe('bodies beyond the memory for them', () => {
  it('wait unread, and are read in order of arrival as others end', async () => {
    const memory = twoBodies()
    const bodies = Array.from({ length: 4 }, fakeBody)
    const admitted = bodies.map((body) => new AdmittedBody(body, { memory, onBytes: () => undefined }))
    const first = admitted.map((body) => body.next())
    await Promise.all(first.slice(0, 2))
    expect(bodies.map(({ reads }) => reads)).toEqual([1, 1, 0, 0])
    admitted[1]?.close()
    await first[2]
    expect(bodies.map(({ reads }) => reads)).toEqual([1, 1, 1, 0])
    await admitted[0]?.return()
    await first[3]
    expect(bodies.map(({ reads }) => reads)).toEqual([1, 1, 1, 1])
  })

  it('give up their place in line when they are left', async () => {
    const memory = twoBodies()
    const [one, two] = await Promise.all([
      memory.admit(AbortSignal.timeout(9e5)),
      memory.admit(AbortSignal.timeout(9e5)),
    ])
    const body = fakeBody()
    const waiting = new AdmittedBody(body, { memory, onBytes: () => undefined })
    const step = waiting.next()
    waiting.close()
    await expect(step).rejects.toThrow('left')
    expect([body.reads, body.isClosed]).toEqual([0, true])
    one()
    two()
    await new AdmittedBody(body, { memory, onBytes: () => undefined }).next()
    expect(body.reads).toBe(1)
  })

  it('are refused with 503 and the time to wait after 30 s', async () => {
    vi.useFakeTimers()
    try {
      const memory = new BodyMemory(1)
      await memory.admit(new AbortController().signal)
      const refused = memory.admit(new AbortController().signal).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(30_000)
      expect(await refused).toMatchObject({ code: 'SERVER_BUSY', status: 503, details: { retryAfterSeconds: 5 } })
    } finally {
      vi.useRealTimers()
    }
  })
})
