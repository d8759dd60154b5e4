import { secureRandom, seededRandom } from '@godwit/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskedEmail, newCode, pauseLeft, typedCode } from './codes.policy.ts'

describe('a code by e-mail', () => {
  it('has six digits, and every digit is as likely at every place', () => {
    const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0))
    for (let drawn = 0; drawn < 20_000; drawn++) {
      const code = newCode(seededRandom(drawn))
      expect(code).toMatch(/^[0-9]{6}$/)
      for (const [place, digit] of [...code].entries()) {
        const row = counts[place] ?? []
        row[Number(digit)] = (row[Number(digit)] ?? 0) + 1
      }
    }
    // 2,000 expected each; the draws are the same in every run.
    for (const count of counts.flat()) expect(Math.abs(count - 2_000)).toBeLessThan(250)
  })

  it('does not repeat itself', () => {
    expect(new Set(Array.from({ length: 100 }, () => newCode(secureRandom))).size).toBeGreaterThan(95)
  })

  it('may be typed with spaces, and in no other way', () => {
    expect(typedCode(' 042 517\n')).toBe('042517')
    for (const text of ['', '42517', '0425177', '04251x', '٠٤٢٥١٧', '042517\0', "' or 1=1"])
      expect(typedCode(text)).toBeUndefined()
    fc.assert(fc.property(fc.string(), (text) => /^[0-9]{6}$/.test(typedCode(text) ?? '000000')))
  })

  it('is sent again after 60 s', () => {
    expect(pauseLeft(1_000, 1_000)).toBe(60_000)
    expect(pauseLeft(1_000, 60_999)).toBe(1)
    expect(pauseLeft(1_000, 61_000)).toBe(0)
  })

  it('names its mailbox without giving it away', () => {
    expect(maskedEmail('mei@example.org')).toBe('m…@example.org')
    expect(maskedEmail('')).toBe('')
    fc.assert(fc.property(fc.emailAddress(), (email) => maskedEmail(email).length <= email.length + 1))
  })
})
