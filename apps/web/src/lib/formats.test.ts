import { describe, expect, it } from 'vitest'
import {
  formatDuration,
  formatRate,
  formatSize,
  formatTime,
  formatTimeExactly,
  splitName,
  stemLength,
} from './formats.ts'

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1.0 KB'],
    [1536, '1.5 KB'],
    [1024 ** 2, '1.0 MB'],
    [1024 ** 3 * 2.5, '2.5 GB'],
    [1024 ** 5, '1.0 PB'],
    [1024 ** 6, '1,024.0 PB'],
  ])('shows %d bytes as %s', (bytes, text) => expect(formatSize(bytes, 'en-US')).toBe(text))

  it('shows a dash for a negative or missing size', () => {
    expect(formatSize(-1, 'en-US')).toBe('-')
    expect(formatSize(undefined, 'en-US')).toBe('-')
  })

  it('shows two decimals in attributes', () => expect(formatSize(1536, 'zh-CN', 2)).toBe('1.50 KB'))
})

describe('times', () => {
  it('shows YYYY-MM-DD HH:mm:ss in the local zone', () => {
    const local = new Date(2026, 10, 3, 4, 5, 6)
    expect(formatTime(local.getTime() / 1000)).toBe('2026-11-03 04:05:06')
  })

  it.each([
    ['Asia/Kathmandu', '2026-03-08T06:59:59Z', '2026-03-08 12:44:59'],
    // One second apart: the clocks go forward, and back.
    ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08 01:59:59'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08 03:00:00'],
    ['America/New_York', '2026-11-01T05:59:59Z', '2026-11-01 01:59:59'],
    ['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01 01:00:00'],
  ])('are those of the zone of the reader: %s, %s', (zone, at, shown) => {
    const before = process.env['TZ']
    process.env['TZ'] = zone
    try {
      expect(formatTime(Date.parse(at) / 1000)).toBe(shown)
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })

  it('are exact with their zone, and in UTC, for a tooltip', () => {
    const seconds = Date.parse('2026-03-08T06:59:59Z') / 1000
    const before = process.env['TZ']
    process.env['TZ'] = 'Asia/Kathmandu'
    try {
      expect(formatTimeExactly(seconds, 'en-US')).toMatch(
        /^Sunday, March 8, 2026 at 12:44:59\sPM GMT\+5:45 · 2026-03-08 06:59:59 UTC$/,
      )
      expect(formatTimeExactly(seconds, 'zh-CN')).toMatch(/^2026年3月8日星期日 .*12:44:59 · 2026-03-08 06:59:59 UTC$/)
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
    expect(formatTimeExactly(0, 'en-US')).toBe('-')
  })

  it.each([0, -5, 99_999_999_999_999, Number.NaN])('treats %d as missing', (seconds) => {
    expect(formatTime(seconds)).toBe('-')
  })
})

describe('speed and time left', () => {
  it('shows a dash until they are known', () => {
    expect(formatRate(undefined, 'en-US')).toBe('-')
    expect(formatDuration(undefined, 'en-US')).toBe('-')
    expect(formatDuration(Number.POSITIVE_INFINITY, 'en-US')).toBe('-')
  })

  it('shows megabytes a second', () => expect(formatRate(3 * 1024 * 1024, 'en-US')).toBe('3.0 MB/s'))
})

describe('names', () => {
  it.each([
    ['report.pdf', 6],
    ['archive.tar.gz', 7],
    ['.profile', 8],
    ['no extension', 12],
    ['a.b.c', 3],
  ])('selects the stem of %s', (name, length) => expect(stemLength(name)).toBe(length))

  it('keeps the extension of a long name in sight', () => {
    const [head, tail] = splitName('a very long name of a document, final version 7.docx')
    expect(tail).toBe('on 7.docx')
    expect(head + tail).toBe('a very long name of a document, final version 7.docx')
  })

  it('leaves a short name whole', () => expect(splitName('short.txt')).toEqual(['short.txt', '']))
})
