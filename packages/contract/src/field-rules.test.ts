import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressListFault,
  isAccount,
  isEmail,
  isFileAlias,
  isLicenceCode,
  isPhone,
  isSharePassword,
  isStorageAlias,
  semicolonList,
} from './field-rules.ts'

describe('form fields', () => {
  it.each([
    ['ada', true],
    ['A_1', true],
    ['a'.repeat(30), true],
    ['ab', false],
    ['a'.repeat(31), false],
    ['a-b', false],
    ['ada\n', false],
    ['阿达', false],
  ])('account %j: letters, digits, underscore, 3-30 characters: %s', (text, fits) => {
    expect(isAccount(text)).toBe(fits)
  })

  it.each([
    ['ada@example.com', true],
    ['a.b_c-d+e@mail.example.co.uk', true],
    ['ada@example', false],
    ['ada example@x.com', false],
    ['@example.com', false],
    ['ada@.com', false],
    [`${'a'.repeat(250)}@example.com`, false],
  ])('e-mail %j: %s', (text, fits) => {
    expect(isEmail(text)).toBe(fits)
  })

  it.each([
    ['13800138000', true],
    ['12800138000', false],
    ['1380013800', false],
    ['138001380001', false],
  ])('phone %j: 11 digits starting with 1 then 3-9: %s', (text, fits) => {
    expect(isPhone(text)).toBe(fits)
  })

  it.each([
    [13, true],
    [16, true],
    [20, true],
    [12, false],
    [14, false],
    [17, false],
    [21, false],
  ])('activation code of %i letters or digits: %s', (length, fits) => {
    expect(isLicenceCode('A1'.repeat(20).slice(0, length))).toBe(fits)
    expect(isLicenceCode(`${'A1'.repeat(20).slice(1, length)}-`)).toBe(false)
  })

  it.each([
    ['reports', true],
    ['a/b', true],
    ['/', false],
    ['a/', false],
    ['a//b', false],
    ['', false],
    ...[...':*<>|"\\?'].map((char): [string, boolean] => [`a${char}`, false]),
  ])('alias of a virtual directory %j: %s', (text, fits) => {
    expect(isStorageAlias(text)).toBe(fits)
  })

  it.each([
    ['report.pdf', true],
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    [' ', false],
    ['two\nlines', false],
    ...[...'\\/:*<>|"?'].map((char): [string, boolean] => [`a${char}b`, false]),
  ])('alias of a shared file %j: %s', (text, fits) => {
    expect(isFileAlias(text)).toBe(fits)
  })

  it('share password: 1-6 characters without white space, more when the site allows', () => {
    expect(isSharePassword('abcd')).toBe(true)
    expect(isSharePassword('abcdef')).toBe(true)
    expect(isSharePassword('abcdefg')).toBe(false)
    expect(isSharePassword('abcdefg', 12)).toBe(true)
    expect(isSharePassword('ab cd')).toBe(false)
    expect(isSharePassword('')).toBe(false)
  })

  it('lists are separated by semicolons, empty entries dropped', () => {
    expect(semicolonList(' *.tmp; ;*.bak;')).toEqual(['*.tmp', '*.bak'])
  })

  it.each([
    ['10.80.90.[1-100]', undefined],
    ['10.0.0.1; 192.168.[0-3].[1-254];', undefined],
    ['', undefined],
    ['10.0.0.256', '10.0.0.256'],
    ['10.0.0', '10.0.0'],
    ['10.0.0.1;ten', 'ten'],
    ['10.0.0.[9-1]', '10.0.0.[9-1]'],
    ['10.0.0.[1-300]', '10.0.0.[1-300]'],
    ['10.0.0.1.5', '10.0.0.1.5'],
  ])('address list %j is at fault in %j', (text, fault) => {
    expect(addressListFault(text)).toBe(fault)
  })

  it('judge long hostile texts in linear time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a@', 'a.', '1.', '[1-', ';', 'a'),
        fc.integer({ min: 1, max: 5_000 }),
        (unit, times) => {
          const text = unit.repeat(times)
          isEmail(text)
          addressListFault(text)
          isStorageAlias(text)
        },
      ),
      { numRuns: 200 },
    )
  })
})
