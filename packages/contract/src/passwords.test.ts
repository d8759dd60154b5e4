import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePassword, encodePassword, PASSWORD_RULES, passwordFaults, type PasswordFault } from './passwords.ts'

describe('password rule', () => {
  it.each<[string, PasswordFault[]]>([
    ['Abcdef12', []],
    ['Abcdefghij1234567890', []],
    ['abcdef1!', []],
    ['Abcde12', ['length']],
    ['Abcdefghij12345678901', ['length']],
    ['Abc def12', ['space']],
    ['Abcdef12\u3000', ['space']],
    ['密码Abcdef12', ['chinese']],
    ['Ada_1815', ['account']],
    ['xADA1815!', ['account']],
    ['abcdefgh', ['classes']],
    ['abcdefg1', ['classes']],
    ['12345678', ['classes']],
    ['', ['length', 'classes']],
  ])('finds in %j: %j', (password, faults) => {
    expect(passwordFaults(password, 'ada')).toEqual(faults)
  })

  it('demands all four classes when strict', () => {
    expect(passwordFaults('Abcdef12', 'ada', 'strict')).toEqual(['classes'])
    expect(passwordFaults('Abcdef1!', 'ada', 'strict')).toEqual([])
  })

  it('takes 12 to 128 characters of any class when long', () => {
    expect(passwordFaults('correcthorse', 'ada', 'long')).toEqual([])
    expect(passwordFaults('correcthors', 'ada', 'long')).toEqual(['length'])
    expect(passwordFaults('a'.repeat(128), 'bob', 'long')).toEqual([])
    expect(passwordFaults('a'.repeat(129), 'bob', 'long')).toEqual(['length'])
  })

  it('asks 8 to 20 characters by default', () => {
    expect(PASSWORD_RULES.standard).toEqual({ min: 8, max: 20, classes: 3 })
  })

  it('accepts only what every reading of the specification accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 24 }), (password) => {
        if (passwordFaults(password, 'account').length > 0) return
        const kinds = [/[0-9]/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(password)).length
        expect(kinds).toBeGreaterThanOrEqual(2)
        expect(password).not.toMatch(/[\s\u4e00-\u9fff]/)
        expect(password.toLowerCase()).not.toContain('account')
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('password on the wire', () => {
  it('is base64 of UTF-8', () => {
    expect(encodePassword('Abcdef1!')).toBe('QWJjZGVmMSE=')
    expect(encodePassword('密码')).toBe('5a+G56CB')
  })

  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 128 }), (password) => {
        expect(decodePassword(encodePassword(password))).toBe(password)
      }),
      { numRuns: 10_000 },
    )
  })

  it('is undefined when it is not base64 or not UTF-8', () => {
    expect(decodePassword('not base64!')).toBeUndefined()
    expect(decodePassword(btoa('\xff\xfe'))).toBeUndefined()
  })

  it('never throws on what a stranger sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (wire) =>
        ['string', 'undefined'].includes(typeof decodePassword(wire)),
      ),
      { numRuns: 10_000 },
    )
  })
})
