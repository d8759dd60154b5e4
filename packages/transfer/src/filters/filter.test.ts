import { describe, expect, it } from 'vitest'
import { TransferError } from '../errors/transfer-error.ts'
import { createFilter } from './filter.ts'

const matches = (glob: string, path: string) => createFilter({ include: [glob] }).accepts(path, 1)

describe('a filter', () => {
  it('reads globs: names in any folder, one folder, all folders, classes and choices', () => {
    expect([matches('*.tmp', 'a.tmp'), matches('*.tmp', 'x/y/a.tmp'), matches('*.tmp', 'a.tmpx')]).toEqual([
      true,
      true,
      false,
    ])
    expect([matches('a/*.txt', 'a/b.txt'), matches('a/*.txt', 'a/b/c.txt'), matches('a/*.txt', 'z/a/b.txt')]).toEqual([
      true,
      false,
      false,
    ])
    expect([matches('a/**', 'a/b/c'), matches('**/c', 'a/b/c'), matches('a/**/c', 'a/c')]).toEqual([true, true, true])
    expect([matches('f[0-9].x', 'f7.x'), matches('f[!0-9].x', 'f7.x'), matches('*.{jpg,png}', 'a.png')]).toEqual([
      true,
      false,
      true,
    ])
    expect([matches('a.b', 'axb'), matches('(x)+$', '(x)+$'), matches('😀?', '😀a')]).toEqual([false, true, true])
  })

  it('leaves out what is excluded, whatever is included, and what is too small or too large', () => {
    const filter = createFilter({ include: ['*.bin'], exclude: ['cache/**'], minSize: 10, maxSize: 20 })
    expect(filter.accepts('a.bin', 10)).toBe(true)
    expect(filter.accepts('a.bin', 20)).toBe(true)
    expect([filter.accepts('a.bin', 9), filter.accepts('a.bin', 21), filter.accepts('cache/a.bin', 15)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('stays fast on patterns made to be slow', () => {
    const filter = createFilter({ include: [`${'*a'.repeat(200)}b`, '{a,a}{a,a}{a,a}{a,a}*'] })
    expect(filter.accepts('a'.repeat(5000), 1)).toBe(true)
  })

  it('names a pattern it cannot read', () => {
    for (const glob of ['', 'x'.repeat(2000), '[z-a]', '\ud800'])
      expect(() => createFilter({ include: [glob] })).toThrow(TransferError)
  })
})
