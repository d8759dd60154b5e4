import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ObjectStore } from '@godwit/storage'
import type { Storages } from '../../foundation/storages/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { folderOf, isWithin, locate, newName, pathNames, within } from './files.paths.ts'
import { unreachable } from '../listings/index.ts'
import { userPrincipal } from '../../testing/principals.ts'

const principal = userPrincipal({ home: 'users/anna' })
const place = { spaceId: 1, groupId: 0 }
const store = {} as ObjectStore
const storages: Storages = {
  ofSpace: (spaceId) => (spaceId === 1 ? store : undefined),
  ofPlace: () => Promise.resolve(store),
  all: () => [store],
  idOf: () => 1,
  withId: () => store,
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/** Pieces that have broken other products, glued together at random. */
const nasty = fc.constantFrom(
  ...[
    '..',
    '.',
    '/',
    '//',
    '\\',
    '..\\',
    '%2e%2e',
    '%2f',
    '%5c',
    '%00',
    '\0',
    '／',
    '．．',
    '\u202e',
    'é',
    'e\u0301',
    'K',
    'İ',
  ],
  ...['ß', 'con', 'a:b', '.godwit', '.GODWIT', '.godwit-recycle', '~', '\ud800', '\udc00', ' ', 'x'.repeat(256), '\n'],
)
const hostile = fc.array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
const hostilePath = hostile.map((parts) => `/${parts.join('')}`)

function resolved(text: string) {
  try {
    return locate(storages, principal, place, text)
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

describe('a path of a user', () => {
  it('stays inside its root, whatever it is made of, and is the same when resolved again', () => {
    fc.assert(
      fc.property(hostilePath, (text) => {
        const location = resolved(text)
        if (!location) return
        expect(location.key === 'users/anna' || location.key.startsWith('users/anna/')).toBe(true)
        const names = location.key.split('/')
        expect(names.some((name) => name === '' || name === '.' || name === '..' || /[\0\\]/.test(name))).toBe(false)
        expect(names.some((name) => name.toLowerCase().startsWith('.godwit'))).toBe(false)
        expect(location.key.isWellFormed()).toBe(true)
        expect(resolved(location.path)?.key).toBe(location.key)
      }),
      { numRuns: 20_000 },
    )
  })
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
  it('needs a space that exists, and no group yet', () => {
    expect(() => locate(storages, principal, { spaceId: 2, groupId: 0 }, '/')).toThrow('NO_SPACE')
    expect(() => locate(storages, principal, { spaceId: 1, groupId: 3 }, '/')).toThrow('PERMISSION_DENIED')
  })
  it('knows its folder and what lies within', () => {
    const file = locate(storages, principal, place, '/a/b.txt')
    expect(folderOf(file).path).toBe('/a')
    expect(within(folderOf(file), 'b.txt').key).toBe(file.key)
    expect(isWithin(file, folderOf(file))).toBe(true)
    expect(isWithin(locate(storages, principal, place, '/ab'), locate(storages, principal, place, '/a'))).toBe(false)
    expect(() => folderOf(locate(storages, principal, place, '/'))).toThrow('PARAMETER_INVALID')
  })
})

describe('a new name', () => {
  it('is stored in NFC', () => expect(newName('e\u0301')).toBe('\u00e9'))
  it.each(['', ' ', 'a/b', 'a:b', 'NUL', 'COM¹.txt', 'x.', 'x ', '..', '\u0000', '\ud800', '.godwit', 'é'.repeat(128)])(
    'refuses %j',
    (name) => expect(() => newName(name)).toThrow('NAME_INVALID'),
  )
})
