import { expect, it } from 'vitest'
import { safeLink } from './safe-link.ts'

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://example.org/1',
  'file:///etc/passwd',
  '/api/user/logout',
  '//example.org',
  'page.html',
  '#heading',
  '',
])('follows no link to %j', (href) => expect(safeLink(href)).toBeUndefined())

it.each(['https://example.org/a', 'http://example.org/', 'mailto:a@example.org'])('follows a link to %s', (href) => {
  expect(safeLink(href)).toBe(href)
})
