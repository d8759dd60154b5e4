import { describe, expect, it } from 'vitest'
import { ancestors, joinPath, nameOf, normalPath, parentOf } from './paths.ts'

describe('paths', () => {
  it('joins, takes apart and walks up', () => {
    expect(joinPath('/', 'a')).toBe('/a')
    expect(joinPath('/a', 'b')).toBe('/a/b')
    expect([parentOf('/a/b'), parentOf('/a'), nameOf('/a/b')]).toEqual(['/a', '/', 'b'])
    expect(ancestors('/a/b')).toEqual(['/', '/a', '/a/b'])
    expect(ancestors('/')).toEqual(['/'])
  })
  it.each([
    ['', '/'],
    ['a/b', '/a/b'],
    ['//a//b/', '/a/b'],
    ['/a/../b', '/a/b'],
  ])('reads %j as %j', (given, path) => expect(normalPath(given)).toBe(path))
})
