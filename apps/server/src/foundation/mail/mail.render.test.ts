import { LOCALES } from '@godwit/i18n'
import { MAIL_TEMPLATES } from '@godwit/i18n/mail-texts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMail } from './mail.render.ts'

const FRAME = { product: 'Godwit', url: 'https://files.example.org', path: '/notification' }

describe('a mail', () => {
  it('lets nothing that people wrote become markup, a header line or another link (T37, T59)', () => {
    const evil = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='x",
        '</title><b>',
        '&lt;b&gt;',
      ),
    )
    const anyMail = fc.record({
      template: fc.constantFrom(...MAIL_TEMPLATES),
      locale: fc.constantFrom(...LOCALES),
      values: fc.record({ account: evil, code: evil, minutes: fc.nat(), title: evil, content: evil }),
    })
    fc.assert(
      fc.property(anyMail, evil, (mail, product) => {
        const header = { name: product, color: '#0B6E4F', logo: `${FRAME.url}/customize/logo` }
        const { subject, html } = renderMail(mail, { ...FRAME, product, header })
        const tags = new Set([...html.matchAll(/<\/?([a-z!]+)[^>]*>/gi)].map((match) => (match[1] ?? '').toLowerCase()))
        const known = [
          '!doctype',
          'html',
          'head',
          'meta',
          'title',
          'style',
          'body',
          'div',
          'p',
          'br',
          'a',
          'img',
          'span',
        ]
        expect([...tags].filter((tag) => !known.includes(tag))).toEqual([])
        expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([`${FRAME.url}${FRAME.path}`])
        expect([...html.matchAll(/src="([^"]*)"/g)].map((match) => match[1])).toEqual([header.logo])
        expect(html).not.toMatch(/\son\w+=["']?x/)
        expect(subject).not.toMatch(/[\r\n\u2028\u2029]/)
      }),
    )
  })

  it('says the same in both of its forms', () => {
    const values = { account: 'mei', code: '042517', minutes: 10 }
    for (const locale of LOCALES) {
      const { text, html } = renderMail({ template: 'reset-code', locale, values }, { ...FRAME, path: '' })
      for (const part of ['mei', '042517', '10', FRAME.url]) {
        expect(text).toContain(part)
        expect(html).toContain(part)
      }
      expect(html).not.toContain('href')
    }
  })
})
