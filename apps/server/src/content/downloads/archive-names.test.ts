import { nameFault } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archiveName } from './archive-names.ts'

describe('a name inside a zip', () => {
  it.each(['report.pdf', '文件 (1).txt', 'é', 'e\u0301', 'a'.repeat(200)])('stays %j', (name) =>
    expect(archiveName(name)).toBe(name),
  )
  it.each([
    ['C:evil.txt', /^C_evil~[0-9a-f]{6}\.txt$/],
    ['con', /^con~[0-9a-f]{6}$/],
    ['nul.txt', /^nul~[0-9a-f]{6}\.txt$/],
    ['line\nbreak', /^line_break~[0-9a-f]{6}$/],
    ['trailing. ', /^trailing~[0-9a-f]{6}_$/],
    ['..\\up', /^_~[0-9a-f]{6}\._up$/],
  ])('of %j is safe', (name, safe) => expect(archiveName(name)).toMatch(safe))

  it('is always one that the product itself would take, and two stay two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }), (name) => {
        fc.pre(name.isWellFormed() && !name.toLowerCase().startsWith('.godwit') && name.trim() !== '')
        expect([name, nameFault(archiveName(name).normalize('NFC'))]).toEqual([name, undefined])
      }),
      { numRuns: 3_000 },
    )
    expect(archiveName('a:b')).not.toBe(archiveName('a*b'))
  })
})
