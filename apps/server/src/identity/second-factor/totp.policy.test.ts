import fc from 'fast-check'
import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { newTotpSecret, stepOfCode, totpUri } from './totp.policy.ts'

/** "12345678901234567890", the secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const codeAt = (seconds: number) => generateSync({ secret: SECRET, epoch: seconds })
const check = (code: string, seconds: number, lastStep = 0) =>
  stepOfCode({ secret: SECRET, code, now: seconds * 1000, lastStep })

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is %s (RFC 6238, appendix B, last six digits)', (seconds, code) => {
    expect(check(code, seconds)).toBe(Math.floor(seconds / 30))
  })

  it('count one period early and late, and no longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 4_000_000_000 }),
        fc.integer({ min: -5, max: 5 }),
        (seconds, steps) => {
          const code = codeAt(seconds + steps * 30)
          const near = [-1, 0, 1].map((step) => codeAt(seconds + step * 30))
          expect(check(code, seconds) !== undefined).toBe(near.includes(code))
        },
      ),
    )
  })

  it('count once: the step of the last one and every earlier one are spent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 4_000_000_000 }), (seconds) => {
        const step = Math.floor(seconds / 30)
        expect(check(codeAt(seconds), seconds, step)).toBeUndefined()
        expect(check(codeAt(seconds - 30), seconds, step)).toBeUndefined()
        expect(check(codeAt(seconds), seconds, step - 1)).toBe(step)
      }),
    )
  })

  it('are six digits and nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('', '28708', '2870820', ' 287082', '２８７０８２', '-87082')),
        (text) => {
          if (text !== '287082') expect(check(text, 59)).toBeUndefined()
        },
      ),
    )
  })

  it('come from secrets of 160 bits that are never the same', () => {
    const secrets = Array.from({ length: 1_000 }, () => newTotpSecret())
    expect(new Set(secrets).size).toBe(1_000)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(totpUri('Godwit', 'mei', SECRET)).toBe(`otpauth://totp/Godwit:mei?secret=${SECRET}&issuer=Godwit`)
  })
})
