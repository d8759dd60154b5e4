import { GiB, MiB } from '@godwit/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from './errors.ts'
import { createRequestMemory, MemoryPool, requestMemoryBytes } from './request-memory.ts'

describe('a memory pool', () => {
  it('never holds more than its total or the share of an owner, and holds nothing once all leases are released', () => {
    const step = fc.record({
      lease: fc.nat({ max: 9 }),
      bytes: fc.integer({ min: 1, max: 60 }),
      kind: fc.constantFrom('grow' as const, 'shrink' as const, 'release' as const),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const pool = new MemoryPool({ totalBytes: 100, ownerBytes: 50 })
        const held = Array.from({ length: 10 }, () => 0)
        const leases = held.map((_, at) => pool.lease(String(at % 3)))
        for (const { lease: at, bytes, kind } of steps) {
          const before = held[at] ?? 0
          try {
            if (kind === 'release') leases[at]?.release()
            else leases[at]?.[kind](bytes)
            held[at] = kind === 'grow' ? before + bytes : kind === 'release' ? 0 : Math.max(0, before - bytes)
          } catch (error) {
            expect(error).toMatchObject({ code: 'SERVER_BUSY', status: 503 })
          }
          const ofOwner = (owner: number): number =>
            held.reduce((sum, bytesOf, index) => (index % 3 === owner ? sum + bytesOf : sum), 0)
          expect(pool.heldBytes).toBe(ofOwner(0) + ofOwner(1) + ofOwner(2))
          expect(pool.heldBytes).toBeLessThanOrEqual(100)
          for (const owner of [0, 1, 2]) expect(ofOwner(owner)).toBeLessThanOrEqual(50)
        }
        for (const lease of leases) lease.release()
        expect(pool.heldBytes).toBe(0)
      }),
    )
  })

  it('refuses with the time to wait, and admits again once memory was returned', () => {
    const pool = new MemoryPool({ totalBytes: 10, ownerBytes: 10 })
    const first = pool.lease('a')
    first.grow(10)
    const second = pool.lease('b')
    expect(() => second.grow(1)).toThrow(new AppError('SERVER_BUSY', { retryAfterSeconds: 5 }))
    first.shrink(1)
    second.grow(1)
    expect(pool.heldBytes).toBe(10)
  })
})

describe('the budget of a process', () => {
  it.each([
    [512 * MiB, 128 * MiB],
    [256 * MiB, 128 * MiB],
    [GiB, 256 * MiB],
    [64 * GiB, 416 * MiB],
  ])('with %i bytes of memory is %i', (available, budget) => {
    expect(requestMemoryBytes(available)).toBe(budget)
  })

  it('of 512 MiB has room for the largest pack, and each kind has a part of its own', () => {
    const { packBytes, streamBytes, calls, strangers } = createRequestMemory(requestMemoryBytes(512 * MiB))
    expect([packBytes, streamBytes]).toEqual([80 * MiB, 16 * MiB])
    expect(() => calls.lease('one').grow(12 * MiB)).not.toThrow()
    expect(() => calls.lease('one').grow(MiB)).toThrow('SERVER_BUSY')
    expect(() => strangers.lease('192.0.2.1').grow(2 * MiB + 1)).toThrow('SERVER_BUSY')
  })
})
