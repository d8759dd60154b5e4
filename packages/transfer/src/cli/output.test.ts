import { describe, expect, it } from 'vitest'
import type { TransferProgress } from '../engines/engine.types.ts'
import { describeProgress, printable } from './output.ts'

describe('what gwt prints for people', () => {
  it('lets no name move the cursor, colour the line or turn what follows', () => {
    expect(printable('left out \u001b[2Ja\rb\tc\u202egpj.exe\u2066: X\nnext')).toBe(
      'left out \\u{1b}[2Ja\\u{d}b\\u{9}c\\u{202e}gpj.exe\\u{2066}: X\nnext',
    )
    expect(printable('汉字 e\u0301 😀')).toBe('汉字 e\u0301 😀')
  })

  it('says no share of a list that still grows', () => {
    const progress: TransferProgress = {
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
    expect(describeProgress(progress)).toBe('listing, 0.0 MB, 0/0 files, 0.0 Mbit/s')
    expect(describeProgress({ ...progress, state: 'running', bytes: 3, bytesDone: 2 })).toMatch('66 %, ')
  })
})
