import { describe, expect, it } from 'vitest'
import { pageLink, renderDocuments } from './render.ts'

describe('documentation pages', () => {
  it.each([
    ['', 'errors.md', '/docs/errors'],
    ['', './errors.md#path-exists', '/docs/errors#path-exists'],
    ['adr', '../errors.md', '/docs/errors'],
    ['adr', '0002-x.md', '/docs/adr/0002-x'],
    ['', '#here', '#here'],
    ['', 'https://example.org/a.md', 'https://example.org/a.md'],
  ])('a link in folder %j to %s opens %s', (folder, href, target) => {
    expect(pageLink(folder, href)).toBe(target)
  })
  it('carry the first heading as title and list every document', () => {
    const pages = renderDocuments([
      { name: 'index', markdown: '# Start\n\n[up](protocol.md)' },
      { name: 'protocol', markdown: '# A < B' },
    ])
    expect(pages.get('index')?.html).toContain('<a href="/docs/protocol">up</a>')
    expect(pages.get('index')?.html).toContain('A &lt; B')
    expect(pages.get('protocol')?.title).toBe('A < B')
  })
})
