import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions, isOlder, isVersion } from './versions.ts'

const version = fc.tuple(fc.nat(99_999), fc.nat(99_999), fc.nat(99_999)).map((parts) => parts.join('.'))

describe('versions of the client', () => {
  it('are compared number by number, not letter by letter', () => {
    expect(isOlder('1.9.0', '1.10.0')).toBe(true)
    expect(isOlder('2.0.0', '1.99.99')).toBe(false)
    expect(isOlder('1.0.0', '1.0.0')).toBe(false)
  })
  it('have one order', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
        expect(compareVersions(a, a)).toBe(0)
        expect(isVersion(a)).toBe(true)
      }),
    )
  })
  it('take a text that is none as the oldest', () => {
    for (const text of ['', 'x', '1.0', '1.0.0.0', '-1.0.0']) expect(isOlder(text, '0.0.0')).toBe(true)
  })
})
