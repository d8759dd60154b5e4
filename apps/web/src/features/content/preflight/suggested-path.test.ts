import { nameFault } from '@godwit/contract/names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedPath, pathBeside } from './suggested-path.ts'

describe('a suggested path', () => {
  it('keeps what is allowed and replaces what is not', () => {
    expect(allowedPath('set/fine.txt')).toBe('set/fine.txt')
    expect(allowedPath('a:b/c?.txt')).toBe('a_b/c_.txt')
    expect(allowedPath('end. /x')).toBe('end/x')
    expect(allowedPath('con')).toBe('_con')
    expect(allowedPath('')).toBe('_')
    expect(allowedPath(`${'长'.repeat(300)}.pdf`)).toMatch(/^长+\.pdf$/)
  })

  it('is one that the server takes, whatever the name', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 3 }), (names) => {
        const allowed = allowedPath(names.map((name) => name.replaceAll('/', '')).join('/'))
        expect(allowed.split('/').map(nameFault)).toEqual(names.map(() => undefined))
      }),
    )
  })

  it('stands beside another one with a number before the extension', () => {
    expect(pathBeside('set/plan.txt')).toBe('set/plan (1).txt')
    expect(pathBeside('set.d/plan')).toBe('set.d/plan (1)')
    expect(pathBeside('.hidden')).toBe('.hidden (1)')
  })
})
