import { describe, expect, it } from 'vitest'
import { matchesEtag, parseRange, rangeStillHolds } from './downloads.ranges.ts'

describe('a Range header (RFC 9110 §14)', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=5-', { start: 5, end: 10 }],
    ['bytes=-3', { start: 7, end: 10 }],
    ['bytes=-30', { start: 0, end: 10 }],
    ['bytes=2-99', { start: 2, end: 10 }],
  ])('%s of 10 bytes', (header, span) => expect(parseRange(header, 10)).toEqual(span))
  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=3-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b', 'bytes=-1-2'])(
    '%j is answered with the whole file',
    (header) => expect(parseRange(header, 10)).toBeUndefined(),
  )
  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('%s of 10 bytes cannot be satisfied', (header) => {
    expect(parseRange(header, 10)).toBe('none')
  })
  it('cannot be satisfied of an empty file', () => expect(parseRange('bytes=0-', 0)).toBe('none'))
})

describe('versions', () => {
  it('match If-None-Match in lists, weakly and by star', () => {
    for (const header of ['"a"', 'W/"a"', '"b", "a"', '*']) expect(matchesEtag(header, '"a"')).toBe(true)
    for (const header of [undefined, '"b"', 'a']) expect(matchesEtag(header, '"a"')).toBe(false)
  })
  it('hold If-Range only strongly and never by date', () => {
    expect(rangeStillHolds(undefined, '"a"')).toBe(true)
    expect(rangeStillHolds('"a"', '"a"')).toBe(true)
    for (const header of ['W/"a"', '"b"', 'Fri, 20 Nov 2026 19:51:43 GMT'])
      expect(rangeStillHolds(header, '"a"')).toBe(false)
  })
})
