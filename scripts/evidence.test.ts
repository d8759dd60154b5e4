import fs from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('..', import.meta.url)
const SECURITY = fs.readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8')
const SHELL = fs.readFileSync(new URL('docs/shell-requirements.md', ROOT), 'utf8')
const CONSOLE = fs.readFileSync(new URL('docs/console-requirements.md', ROOT), 'utf8')
const LINKS = fs.readFileSync(new URL('docs/link-requirements.md', ROOT), 'utf8')
const CLIENTS = fs.readFileSync(new URL('docs/client-requirements.md', ROOT), 'utf8')
const FILES = fs.readFileSync(new URL('docs/file-requirements.md', ROOT), 'utf8')

/** Each `file`: name of a document; a file without a name means all of its tests. */
function namedTests(text: string): Array<{ readonly file: string; readonly name: string }> {
  const found = text.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`(?:: ([^|<]+?))?(?= \||<br>)/g)
  return [...found].map(([, file = '', name = '']) => ({ file, name }))
}

/** The rows of classes A to I, K and L. */
const ROWS = [...range(1, 53), ...range(59, 65)].map((row) => `T${String(row).padStart(2, '0')}`)
const FAULT_ROWS = ['01', '03', '04', '05', '06', '16', '18', '20', '21', '22', '27', '28', '45', '46']

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

describe.each([
  ['docs/security-tests.md', SECURITY, 80],
  ['docs/shell-requirements.md', SHELL, 150],
  ['docs/file-requirements.md', FILES, 90],
  ['docs/console-requirements.md', CONSOLE, 100],
  ['docs/link-requirements.md', LINKS, 60],
  ['docs/client-requirements.md', CLIENTS, 250],
])('%s', (_document, text, least) => {
  it.each(namedTests(text))('names a test that exists: $file $name', ({ file, name }) => {
    // Names may be parts of longer ones, and quoted in any way.
    expect(fs.readFileSync(new URL(file, ROOT), 'utf8')).toContain(name)
  })
  it('names many', () => expect(namedTests(text).length).toBeGreaterThan(least))
})

describe('docs/security-tests.md', () => {
  it.each([...ROWS, ...FAULT_ROWS])('has a row for %s', (row) => {
    expect(SECURITY).toContain(`\n| ${row} | `)
  })
})

describe.each([
  ['docs/shell-requirements.md', SHELL, 10],
  ['docs/file-requirements.md', FILES, 10],
  ['docs/console-requirements.md', CONSOLE, 11],
  ['docs/link-requirements.md', LINKS, 7],
  ['docs/client-requirements.md', CLIENTS, 12],
])('%s', (_document, text, sections) => {
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line))

  it('names a test in every row', () => {
    expect(rows.filter((row) => namedTests(row).length === 0)).toEqual([])
  })
  it('counts its rows without a gap, section by section', () => {
    const numbers = rows.map((row) => (/^\| (\d+)\.(\d+) /.exec(row) ?? []).slice(1).map(Number))
    const wanted: number[][] = []
    for (const [section = 0] of numbers) {
      wanted.push([section, 1 + wanted.filter(([other]) => other === section).length])
    }
    expect(numbers).toEqual(wanted)
    expect(new Set(numbers.map(([section]) => section)).size).toBe(sections)
  })
})
