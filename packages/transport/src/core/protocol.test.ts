import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const DOCUMENT = new URL('../../../../docs/protocol.md', import.meta.url)
const SOURCES = new URL('../', import.meta.url)
const lines = readFileSync(DOCUMENT, 'utf8').split('\n')
const rules = lines.filter((line) => /^- \*\*P\d+\*\* /u.test(line))

describe('docs/protocol.md', () => {
  it('numbers its rules in order, without gaps', () => {
    const numbers = rules.map((line) => Number(/P(\d+)/u.exec(line)?.[1]))
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1))
  })

  it('has no MUST outside a numbered rule', () => {
    const stray = lines.filter(
      (line) => line.includes('MUST') && !rules.includes(line) && !line.includes('MUST and SHOULD as in RFC 2119'),
    )
    expect(stray).toEqual([])
  })

  it.each(rules.map((line) => [/P\d+/u.exec(line)?.[0] ?? '', line] as const))(
    '%s names a test that exists',
    (_id, line) => {
      const [, file = '', title = ''] = /\[[^`]*`([^`]+)` "(.+)"\]$/u.exec(line) ?? []
      expect(readFileSync(new URL(file, SOURCES), 'utf8')).toContain(title)
    },
  )
})
