import { resolve, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPath, foldName, type PathFault, PathClashes, type SafePath } from './paths.ts'

const REFUSED: ReadonlyArray<readonly [string, PathFault]> = [
  ['', 'empty'],
  ['..', 'dot-segment'],
  ['../etc/passwd', 'dot-segment'],
  ['a/../../b', 'dot-segment'],
  ['a/./b', 'dot-segment'],
  ['/etc/passwd', 'absolute'],
  ['C:', 'absolute'],
  ['c:/windows', 'absolute'],
  ['a//b', 'empty-segment'],
  ['a/', 'empty-segment'],
  ['a\\..\\b', 'reserved-character'],
  ['file.txt:stream', 'reserved-character'],
  ['file::$DATA', 'reserved-character'],
  ['a<b', 'reserved-character'],
  ['what?', 'reserved-character'],
  ['CON', 'device-name'],
  ['dir/nul.txt', 'device-name'],
  ['COM1.tar.gz', 'device-name'],
  ['lpt9', 'device-name'],
  ['com¹', 'device-name'],
  ['CONOUT$', 'device-name'],
  ['a\u0000b', 'control-character'],
  ['a\nb', 'control-character'],
  ['a\u0085b', 'control-character'],
  ['a\u2028b', 'control-character'],
  ['\ud800', 'lone-surrogate'],
  ['a\udfffb', 'lone-surrogate'],
  ['trailing.', 'trailing-dot-or-space'],
  ['trailing ', 'trailing-dot-or-space'],
  [' leading', 'leading-space'],
  ['a'.repeat(256), 'too-long'],
  ['a'.repeat(300), 'too-long'],
  ['塍'.repeat(86), 'too-long'],
  ['x/'.repeat(2100) + 'x', 'too-long'],
  ['x/'.repeat(250) + 'x', 'too-deep'],
  ['.0123.gwpart', 'reserved-by-us'],
  ['a.GWJOURNAL', 'reserved-by-us'],
]

describe('a path that the peer names', () => {
  for (const [path, fault] of REFUSED) {
    it(`is refused as ${fault}: ${JSON.stringify(path.slice(0, 24))}`, () => {
      expect(checkPath(path)).toEqual({ ok: false, fault })
    })
  }

  it('is taken when every system can hold it, in NFC', () => {
    for (const path of [
      'a',
      'a/b.txt',
      '塍'.repeat(85),
      '~',
      '__proto__/constructor',
      '$(x)',
      '-rf',
      '%2e%2e',
      'com10',
      '😀',
    ]) {
      expect(checkPath(path)).toEqual({ ok: true, path })
    }
    expect(checkPath('e\u0301')).toEqual({ ok: true, path: '\u00e9' })
  })

  it('stays below the folder it is joined to, whatever it is, and is its own normal form', () => {
    const letters = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      'a',
      ':',
      'C',
      '\u0000',
      ' ',
      '\uff0f',
      '\u2215',
      '%2e',
      '\ud800',
      'e\u0301',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(letters).map((parts) => parts.join('')),
        ),
        (path) => {
          const checked = checkPath(path)
          if (!checked.ok) return
          expect(resolve('/root', checked.path).startsWith(`/root${sep}`)).toBe(true)
          expect(checkPath(checked.path)).toEqual(checked)
        },
      ),
      { numRuns: 20_000 },
    )
  })
})

describe('paths of one transfer', () => {
  const add = (clashes: PathClashes, path: string, kind: 'file' | 'directory' = 'file') =>
    clashes.add(path as SafePath, kind)

  it('clash when case, composition or compatibility is the only difference', () => {
    for (const [first, second] of [
      ['A', 'a'],
      ['ﬁle', 'file'],
      ['\u212a', 'k'],
      ['straße', 'STRASSE'],
      ['ς', 'σ'],
    ] as const) {
      const clashes = new PathClashes()
      expect(add(clashes, first)).toBeUndefined()
      expect(add(clashes, second)).toBe(foldName(second))
    }
  })

  it('clash when a file stands where a folder is needed, in either order', () => {
    const fileFirst = new PathClashes()
    add(fileFirst, 'a')
    expect(add(fileFirst, 'a/b')).toBe('a')
    const folderFirst = new PathClashes()
    add(folderFirst, 'a/b')
    expect(add(folderFirst, 'A')).toBe('a')
  })

  it('live side by side otherwise, a folder announced twice too', () => {
    const clashes = new PathClashes()
    expect([
      add(clashes, 'd', 'directory'),
      add(clashes, 'd/a'),
      add(clashes, 'd', 'directory'),
      add(clashes, 'd/b'),
    ]).toEqual(new Array(4).fill(undefined))
  })
})
