import fs from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../../..', import.meta.url)
const TEXT = fs.readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8')

/** Each `file`: name of the document; a file without a name means all of its tests. */
const NAMED = [...TEXT.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`(?:: ([^|<]+?))?(?= \||<br>)/g)].map(
  ([, file = '', name = '']) => ({
    file,
    name,
  }),
)

/** The rows of classes A, B, C, E, F, G, H, I and K. */
const ROWS = [...range(1, 30), ...range(34, 53), ...range(59, 62)].map((row) => `T${String(row).padStart(2, '0')}`)
const FAULT_ROWS = ['01', '03', '04', '05', '06', '16', '18', '20', '21', '22', '27', '28']

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

describe('docs/security-tests.md', () => {
  it.each(NAMED)('names a test that exists: $file $name', ({ file, name }) => {
    // Names may be parts of longer ones, and quoted in any way.
    expect(fs.readFileSync(new URL(file, ROOT), 'utf8')).toContain(name)
  })
  it.each([...ROWS, ...FAULT_ROWS])('has a row for %s', (row) => {
    expect(TEXT).toContain(`\n| ${row} | `)
  })
  it('names many', () => expect(NAMED.length).toBeGreaterThan(80))
})
