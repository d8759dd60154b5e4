import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfGigabytes, gigabytesOf, isGigabytes } from './gigabytes.ts'

describe('a limit in gigabytes', () => {
  it('keeps whole megabytes to the byte', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_000_000 }), (megabytes) => {
        const bytes = megabytes * 1024 ** 2
        expect(bytesOfGigabytes(gigabytesOf(bytes))).toBe(bytes)
        expect(isGigabytes(gigabytesOf(bytes))).toBe(true)
      }),
    )
  })

  it.each(['1', '0.5', '1024', '0.000977'])('may be %s', (text) => expect(isGigabytes(text)).toBe(true))
  it.each(['0', '-1', '1e3', 'ten', ''])('may not be %s', (text) => expect(isGigabytes(text)).toBe(false))
})
