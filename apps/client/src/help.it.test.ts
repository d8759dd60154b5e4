import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { HELP, manual } from './help.ts'

describe('the manual page of the client', () => {
  const page = manual(new Date(0))
  const read = execFileSync('mandoc', ['-T', 'utf8', '-O', 'width=500'], { input: page, encoding: 'utf8' }).replaceAll(
    /.\u0008/gu,
    '',
  )

  it('is one that man reads without a warning', () => {
    expect(execFileSync('mandoc', ['-T', 'lint', '-W', 'warning'], { input: page, encoding: 'utf8' })).toBe('')
  })

  it('has every line of the help', () => {
    const lines = HELP.split('\n').filter((line) => line.startsWith('  '))
    expect(lines.length).toBeGreaterThan(30)
    for (const line of lines) {
      const [words = '', meaning = ''] = line.trim().replace('godwit-client ', '').split(/ {2,}/)
      for (const part of [words, meaning]) expect(read).toContain(part)
    }
  })
})
