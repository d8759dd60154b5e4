import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsOf, unknownFact, wordsOf } from './hook-program.policy.ts'

describe('the command line of a program', () => {
  it.each([
    ['', []],
    ['  a  b ', ['a', 'b']],
    [`--name "two words" 'and "more"'`, ['--name', 'two words', 'and "more"']],
    [`a\\ b "c\\"d" 'e\\f'`, ['a b', 'c"d', 'e\\f']],
    [`"" x''y`, ['', 'xy']],
    ['a; rm -rf / && $(x) | `y` > z', ['a;', 'rm', '-rf', '/', '&&', '$(x)', '|', '`y`', '>', 'z']],
    ['"open', undefined],
    ['end\\', undefined],
  ])('%j is %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('knows facts by their names alone', () => {
    expect(unknownFact(['{event}', '--file={path}', '{id}', '{size}', '{userId}', '{}'])).toBeUndefined()
    expect(unknownFact(['{path}', '{token}'])).toBe('token')
  })

  it('makes one argument of each word, whatever a file is called', () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        const body = JSON.stringify({ data: { path, size: 7 } })
        const run = { id: 'd1', event: 'file.committed', body }
        expect(argumentsOf('--of {event} "{path}" x{size} {userId}', run)).toEqual([
          ...['--of', 'file.committed', path.replaceAll('\0', ''), 'x7', ''],
        ])
      }),
    )
  })
})
