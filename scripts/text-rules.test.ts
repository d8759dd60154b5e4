import { describe, expect, it } from 'vitest'
import { linkFaults, textFaults } from './text-rules.ts'

describe('the text rules', () => {
  it.each([
    ['package-lock.json', '  "resolved": "https://host/a.tgz",'],
    ['.npmrc', 'registry=https://host/'],
    ['README.md', `${'<'.repeat(7)} ours`],
    ['apps/web/src/a.ts', `// ${['oxlint', 'disable'].join('-')}-next-line`],
    ['packages/base/src/a.ts', ['const a = b as', 'any'].join(' ')],
    ['docs/a.md', 'see /build/place/godwit/docs'],
  ])('refuse in %s: %s', (file, line) => {
    expect(textFaults(file, `fine\n${line}\n`, ['/build/place/godwit'])).toEqual([
      expect.stringContaining(`${file}:2: `),
    ])
  })

  it.each([
    ['package-lock.json', '  "resolved": "packages/base",'],
    ['README.md', 'a registry = a list'],
    ['docs/a.md', 'many as anyone likes'],
  ])('allow in %s: %s', (file, line) => {
    expect(textFaults(file, line, ['/root', '/build/place/godwit'])).toEqual([])
  })
})

describe('a link in a page', () => {
  const files = ['README.md', 'docs/adr/0001-a.md']

  it.each(['[a](docs/adr/0001-a.md#x)', '[b](docs/adr/)', '[c](https://host/x)', '[e](/api/docs/)', '![d](README.md)'])(
    'may be %s',
    (link) => {
      expect(linkFaults('README.md', link, files)).toEqual([])
    },
  )

  it('may not lead to a file that does not exist', () => {
    expect(linkFaults('docs/a.md', '[a](adr/0002-b.md)', files)).toEqual([
      expect.stringContaining('docs/adr/0002-b.md'),
    ])
  })
})
