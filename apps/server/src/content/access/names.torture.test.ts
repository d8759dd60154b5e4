import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { pathNames } from './names.ts'

describe('a million random paths', () => {
  it('are inside the root or refused (SECURITY, row 03)', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('/', '.', '\\', '%', '\0', 'é', '\u0301'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(text, (path) => {
        let names: string[]
        try {
          names = pathNames(`/${path}`)
        } catch (thrown) {
          if (thrown instanceof AppError) return
          throw thrown
        }
        expect(names.every((name) => name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name))).toBe(true)
        expect(pathNames(`/${names.join('/')}`)).toEqual(names)
      }),
      { numRuns: 1_000_000 },
    )
  })
})
