import { fakeClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import type { TransferProgress } from '../engines/engine.types.ts'
import { createOutput, describeProgress, describeKept, escaped, toJsonLine } from './output.ts'

const PROGRESS: TransferProgress = {
  state: 'listing',
  files: 0,
  filesDone: 0,
  bytes: 0,
  bytesDone: 0,
  bytesMoved: 0,
  bytesPerSecond: 0,
  secondsLeft: undefined,
  bottleneck: undefined,
  path: { mode: 'udp', reason: 'udp-open', tcpStreams: 0, text: 'UDP' },
}

describe('what gwt prints for people', () => {
  it('lets no name move the cursor, colour the line or turn what follows', () => {
    expect(escaped('left out \u001b[2Ja\rb\tc\u202egpj.exe\u2066\u009b: X\nnext')).toBe(
      'left out \\u{1b}[2Ja\\u{d}b\\u{9}c\\u{202e}gpj.exe\\u{2066}\\u{9b}: X\\u{a}next',
    )
    expect(escaped('汉字 e\u0301 😀')).toBe('汉字 e\u0301 😀')
  })

  it('lets no name do so in JSON either, and keeps it the same for a program', () => {
    const facts = { path: 'a\u202eb\u009b2J\u2028c\nd😀', count: 1 }
    expect(toJsonLine(facts)).toBe('{"path":"a\\u202eb\\u009b2J\\u2028c\\nd😀","count":1}')
    expect(JSON.parse(toJsonLine(facts))).toEqual(facts)
  })

  it('says in one line what is kept, what is not, and how to keep it', () => {
    expect(describeKept({ permissions: false, links: true, holes: false }, false)).toBe(
      'Kept: contents, names, times. Not kept: permissions beyond rwxr-x--- (recv --perms), links (--links at both sides), ' +
        'holes (recv --sparse), owners, extended attributes, hard links.',
    )
    expect(describeKept({ permissions: true, links: true, holes: true }, true)).toBe(
      'Kept: contents, names, times, permissions, links, holes. Not kept: owners, extended attributes, hard links.',
    )
  })

  it('says no share of a list that still grows', () => {
    expect(describeProgress(PROGRESS)).toBe('listing, 0.0 MB, 0/0 files, 0.0 Mbit/s')
    expect(describeProgress({ ...PROGRESS, state: 'running', bytes: 3, bytesDone: 2 })).toMatch('66 %, ')
  })
})

describe('progress', () => {
  const outputTo = (isTTY: boolean, json = false) => {
    const [clock, out, err] = [fakeClock(), [] as string[], [] as string[]]
    const streams = {
      out: { write: (text: string) => out.push(text) },
      err: { isTTY, write: (text: string) => err.push(text) },
    }
    const output = createOutput({ json, streams, nowMs: () => clock.monotonic() })
    for (let second = 1; second <= 25; second++) {
      clock.advance(1_000)
      output.progress({ ...PROGRESS, state: 'running', bytes: 100, bytesDone: second })
    }
    return { out, err }
  }

  it('is one line each 10 s where the output is no terminal, without moving the cursor', () => {
    const { out, err } = outputTo(false)
    expect(out).toEqual([])
    expect(err).toEqual(['10 %, 0/0 files, 0.0 Mbit/s\n', '20 %, 0/0 files, 0.0 Mbit/s\n'])
  })

  it('is one line that changes on a terminal, and each report of it with --json', () => {
    expect(outputTo(true).err).toHaveLength(25)
    expect(outputTo(true).err[24]).toMatch(/^\r25 %/)
    const { out, err } = outputTo(false, true)
    expect(err).toEqual([])
    expect(out).toHaveLength(25)
  })
})
