import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERMISSION } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import type { Storages } from '../../foundation/storages/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { createAccess } from './access.ts'
import { folderOf, isWithin, newWithin, storedAs, within, type Location } from './location.ts'
import type { Need } from './needs.ts'
import type { Place } from './places.ts'

const principal = userPrincipal({ home: 'users/anna' })
const place: Place = { kind: 'personal', spaceId: 1 }
const store = { stat: () => Promise.resolve(undefined) } as unknown as ObjectStore
const storages: Storages = {
  ofPlace: () => Promise.resolve(store),
  check: () => Promise.resolve(),
  all: () => [store],
  idOf: () => 1,
  withId: () => store,
  close: () => Promise.resolve(),
}
const access = createAccess({ storages })
const open = (path: string, where: Place = place) => access.open({ principal }, where, path, 'list')

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

async function resolved(text: string): Promise<Location | undefined> {
  try {
    return await open(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

describe('a path of a user', () => {
  it('stays inside its root, whatever it is made of, and is the same when resolved again', async () => {
    await fc.assert(
      fc.asyncProperty(hostilePath, async (text) => {
        const location = await resolved(text)
        if (!location) return
        expect(location.key === 'users/anna' || location.key.startsWith('users/anna/')).toBe(true)
        const names = location.key.split('/')
        expect(names.some((name) => name === '' || name === '.' || name === '..' || /[\0\\]/.test(name))).toBe(false)
        expect(names.some((name) => name.toLowerCase().startsWith('.godwit'))).toBe(false)
        expect(location.key.isWellFormed()).toBe(true)
        expect((await resolved(location.path))?.key).toBe(location.key)
      }),
      { numRuns: 20_000 },
    )
  })

  it('needs a space that exists, and a kind of place that is there', async () => {
    await expect(open('/', { kind: 'personal', spaceId: 2 })).rejects.toMatchObject({ code: 'NO_SPACE' })
    const group: Place = { kind: 'group', spaceId: 1, groupId: 3 }
    await expect(open('/', group)).rejects.toMatchObject({ code: 'PERMISSION_DENIED', details: undefined })
    await expect(access.open({ principal: undefined }, place, '/', 'list')).rejects.toThrow('TOKEN_INVALID')
    await expect(
      access.open({ principal: { kind: 'guest', id: 'l', visitId: 'v' } }, place, '/', 'list'),
    ).rejects.toThrow('PERMISSION_DENIED')
  })

  it('knows its folder and what lies within', async () => {
    const file = await open('/a/b.txt')
    expect(folderOf(file).path).toBe('/a')
    expect(within(folderOf(file), 'b.txt').key).toBe(file.key)
    expect(isWithin(file, folderOf(file))).toBe(true)
    expect(isWithin(await open('/ab'), await open('/a'))).toBe(false)
    expect(() => folderOf(within(folderOf(folderOf(file)), 'x'))).not.toThrow()
    const root = await open('/')
    expect(() => folderOf(root)).toThrow('PARAMETER_INVALID')
  })

  it('takes the spelling of the storage, and no key of another entry', async () => {
    const file = await open('/caf\u00e9/x')
    expect(storedAs(file, 'users/anna/cafe\u0301/x').path).toBe('/caf\u00e9/x')
    expect(() => storedAs(file, 'users/anna/other/x')).toThrow('a key of another entry')
    expect(() => storedAs(file, 'users/tom/caf\u00e9/x')).toThrow('a key of another entry')
  })
})

describe('a virtual directory in a home', () => {
  const mounts = [
    { id: 7, spaceId: 1, alias: 'Archive', path: 'old/2026', permission: PERMISSION.list | PERMISSION.copy },
  ]
  const owner = userPrincipal({
    home: 'users/anna',
    mounts,
    fileRules: JSON.stringify({ forbiddenPaths: ['/Archive/secret'] }),
  })
  const openAs = (path: string, need: Need = 'list') => access.open({ principal: owner }, place, path, need)

  it('takes whatever lies below its name, in any case, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(hostilePath, fc.constantFrom('', '/Archive', '/ARCHIVE', '/archive/..'), async (text, above) => {
        const location = await openAs(above + text).catch(() => undefined)
        if (location === undefined) return
        const [first = ''] = location.path.split('/').slice(1)
        const isMount = first === 'Archive'
        const root = isMount ? 'old/2026' : 'users/anna'
        expect(location.key === root || location.key.startsWith(`${root}/`)).toBe(true)
        expect(location.place.groupId).toBe(isMount ? -7 : 0)
        expect((await openAs(location.path)).key).toBe(location.key)
      }),
      { numRuns: 5_000 },
    )
  })

  it('is reached from its home, and has no folder above', async () => {
    const home = await openAs('/')
    expect(within(home, 'archive').key).toBe('old/2026')
    expect(home.mountNames).toEqual(['Archive'])
    expect(() => newWithin(home, { name: 'ARCHIVE', kind: 'folder', need: 'list' })).toThrow('PATH_EXISTS')
    expect(() => folderOf(within(home, 'Archive'))).toThrow('PARAMETER_INVALID')
    expect(folderOf(within(within(home, 'Archive'), 'a')).isMount).toBe(true)
  })

  it('gives the flags of the account within its own, and keeps the rules of the home', async () => {
    await expect(openAs('/Archive/a', 'download')).rejects.toThrow('PERMISSION_DENIED')
    expect((await openAs('/Archive/a', 'copy')).path).toBe('/Archive/a')
    await expect(openAs('/Archive/secret')).rejects.toThrow('PATH_NOT_FOUND')
    expect((await openAs('/Archive')).shows('secret', true)).toBe(false)
    for (const need of ['rename', 'move', 'delete', 'moveOut'] as const)
      await expect(openAs('/Archive', need)).rejects.toThrow('PERMISSION_DENIED')
  })

  it('is nobody else\u2019s, whatever number is asked for', async () => {
    const foreign: Place = { kind: 'mount', spaceId: 1, mountId: 7 }
    await expect(access.open({ principal }, foreign, '/x/a', 'list')).rejects.toThrow('PATH_NOT_FOUND')
    await expect(
      access.open({ principal: owner }, { kind: 'mount', spaceId: 1, mountId: 8 }, '/', 'list'),
    ).rejects.toThrow('PATH_NOT_FOUND')
  })
})

describe('a Location', () => {
  it('is made by open() and by nothing else: this does not compile', async () => {
    const location = await open('/a')
    const steal = (_location: Location): void => undefined
    // @ts-expect-error a literal lacks the private part
    steal({ store, key: 'users/tom', rootKey: 'users/tom', path: '/', place: { spaceId: 1, groupId: 0 }, need: 'list' })
    // @ts-expect-error so does a copy
    steal({ ...location, key: 'users/tom/secret' })
    const change = (): void => {
      // @ts-expect-error and its key stays what it was
      location.key = 'users/tom'
    }
    expect(change).toBeTypeOf('function')
    expect(newWithin(location, { name: 'b', kind: 'folder', need: 'makeFolder' }).path).toBe('/a/b')
  })
})
