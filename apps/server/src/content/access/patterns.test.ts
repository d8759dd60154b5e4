import { describe, expect, it } from 'vitest'
import { compilePatterns, patternFault } from './patterns.ts'

describe('a path pattern', () => {
  it.each([
    ['/b/*.key', '/b/x.key', true],
    ['/b/*.key', '/b/x.key/below/it', true],
    ['/b/*.key', '/a/b/x.key', false],
    ['/b/*.key', '/b/c/x.key', false],
    ['/b/**.key', '/b/c/x.key', true],
    ['*.key', '/deep/down/x.KEY', true],
    ['*.key', '/x.keys', false],
    ['private', '/a/Private/b', true],
    ['private', '/a/privateer', false],
    ['a/b', '/x/a/b', true],
    ['/a/**/b', '/a/b', true],
    ['/a/**/b', '/a/x/y/b', true],
    ['/a/**/b', '/axb', false],
    ['/a/**', '/a', false],
    ['/a/**', '/a/b', true],
    ['**', '/', false],
    ['**', '/a', true],
    ['/a/', '/a/b', true],
    ['/stra\u00dfe', '/STRASSE/x', true],
    ['/cafe\u0301', '/CAF\u00c9', true],
    ['/a.b', '/axb', false],
    ['/(a+)+$', '/(A+)+$', true],
    ['/a*c', '/a/c', false],
    ['/line*', '/line\nbreak', true],
  ])('%s on %s: %s', (pattern, path, covers) => expect(compilePatterns([pattern]).covers(path)).toBe(covers))

  it.each([
    ['/b/*.key', '/b', true],
    ['/b/*.key', '/', true],
    ['/b/*.key', '/c', false],
    ['/b/*.key', '/b/c', false],
    ['/bc/x', '/b', false],
    ['/b/**/x', '/b/any/where', true],
    ['/b*/c/d', '/bbb', true],
    ['/b*/c/d', '/bbb/c', true],
    ['/b', '/b', false],
    ['x', '/any', false],
  ])('%s lies below %s: %s', (pattern, path, reaches) =>
    expect(compilePatterns([pattern]).reachesAnchored(path)).toBe(reaches),
  )

  it('without an anchor may lie below every folder', () => {
    expect(compilePatterns(['x']).hasUnanchored).toBe(true)
    expect(compilePatterns(['/x']).hasUnanchored).toBe(false)
  })

  it('is refused when it is empty, too long or not well-formed', () => {
    expect(['', '/', '//', 'x'.repeat(256), '\ud800', 'x'.repeat(255), '😀'.repeat(255)].map(patternFault)).toEqual([
      ...['empty', 'empty', 'empty', 'too-long', 'malformed-unicode', undefined, undefined],
    ])
    expect(() => compilePatterns([''])).toThrow('not usable')
  })

  it('takes linear time, whatever it is', () => {
    const patterns = compilePatterns([`${'*a'.repeat(120)}b`, `/${'**/'.repeat(80)}x`, '/a'.repeat(127)])
    const path = `/${'a'.repeat(2_000)}`
    const start = performance.now()
    expect(patterns.covers(path)).toBe(false)
    expect(patterns.reachesAnchored(path)).toBe(true)
    // A backtracking engine needs longer than the age of the universe.
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
