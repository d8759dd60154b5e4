import { describe, expect, it } from 'vitest'
import { newName, pathNames, unreachable } from './names.ts'

describe('a path of a user', () => {
  it('is refused with the fault of its name', () => {
    expect(() => pathNames('/a/../b')).toThrow('NAME_INVALID')
    expect(() => pathNames('a')).toThrow('PARAMETER_INVALID')
    expect(() => pathNames(`/${'a/'.repeat(2_100)}`)).toThrow('PATH_TOO_LONG')
    expect(unreachable('\ud800')).toBe('malformed-unicode')
    expect(unreachable('.godwit-recycle')).toBe('reserved-by-product')
  })
  it('may name what only an administrator could have made', () => {
    for (const name of ['a:b', 'trailing.', 'con', 'tab\tname']) expect(unreachable(name)).toBeUndefined()
  })
})

describe('a new name', () => {
  it('is stored in NFC', () => expect(newName('e\u0301')).toBe('\u00e9'))
  it.each(['', ' ', 'a/b', 'a:b', 'NUL', 'COM¹.txt', 'x.', 'x ', '..', '\u0000', '\ud800', '.godwit', 'é'.repeat(128)])(
    'refuses %j',
    (name) => expect(() => newName(name)).toThrow('NAME_INVALID'),
  )
})
