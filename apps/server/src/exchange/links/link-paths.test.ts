import { SHARE_SOURCE_TYPE } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guestPaths, sharedIn, toOwnerPath, wayInto } from './link-paths.ts'
import { someTarget } from './testing/some-links.ts'

const name = fc.stringMatching(/^[a-z0-9 äé.]{1,8}$/).filter((text) => !/^\.+$/.test(text))
const folder = fc.array(name, { maxLength: 3 }).map((names) => `/${names.join('/')}`)
const below = (base: string, entry: string): string => `${base === '/' ? '' : base}/${entry}`

const chosen = (...targets: ReadonlyArray<Parameters<typeof someTarget>[0]>) =>
  sharedIn({ src_type: SHARE_SOURCE_TYPE.files, targets: targets.map(someTarget) })

describe('paths of guests', () => {
  it('are those of the owner below what is shared, and come back as they went', () => {
    fc.assert(
      fc.property(folder, fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), fc.array(name), (base, names, rest) => {
        const [first = '', ...others] = names.map((entry) => below(base, entry))
        const shared = chosen({ path: first, alias: 'Alias!' }, ...others.map((path) => ({ path })))
        const path = ['', 'Alias!', ...rest].join('/')
        const owned = toOwnerPath(shared, path)
        expect(owned).toBe([first, ...rest].join('/'))
        expect(guestPaths(shared)(owned)).toBe(path)
      }),
    )
  })

  it('show nothing of what lies above or beside', () => {
    const shared = sharedIn({ src_type: SHARE_SOURCE_TYPE.folder, targets: [someTarget({ path: '/a/b' })] })
    expect(toOwnerPath(shared, '/')).toBe('/a/b')
    expect(guestPaths(shared)('/a/b/c')).toBe('/c')
    for (const path of ['/', '/a', '/a/bc/d', '/x']) expect(guestPaths(shared)(path)).toBe('/')
  })

  it('leave out what is lost, and number names that met since', () => {
    const shared = chosen(
      { path: '/a/x.txt' },
      { path: '/b/x.txt' },
      { path: '/a/gone.txt', is_lost: 1 },
      { path: '/c/offer.txt', alias: 'x.txt' },
    )
    expect([...shared.entries]).toEqual([
      ['x.txt', '/a/x.txt'],
      ['x (1).txt', '/b/x.txt'],
      ['x (2).txt', '/c/offer.txt'],
    ])
    expect(toOwnerPath(shared, '/x (1).txt')).toBe('/b/x.txt')
    expect(guestPaths(shared)('/c/offer.txt')).toBe('/x (2).txt')
    expect(wayInto(chosen({ path: '/a/x.txt', is_lost: 1 }))).toBeUndefined()
  })
})
