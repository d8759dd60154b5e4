import { mailTexts, type MailTemplate, type MailWords } from '@godwit/i18n/mail-texts'
import type { Locale } from '@godwit/i18n'
import { oneLine } from '../../kernel/plain-text.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailContent {
  readonly template: MailTemplate
  readonly locale: Locale
  readonly values: Readonly<Record<string, string | number>>
}

/** What mails begin with. */
export interface MailHeader {
  readonly name: string
  /** Of the bar above, such as `#0B6E4F`. */
  readonly color: string
  /** Address of the image; '' without one. */
  readonly logo: string
}

export interface MailFrame {
  readonly product: string
  /** Address of this installation. */
  readonly url: string
  /** Page that the mail leads to, below `url`; '' leads nowhere. */
  readonly path: string
  readonly header?: MailHeader | undefined
}

/** Whose colors the HTML form has: what the reader's program asks for, or one of them for a preview. */
export type MailTheme = 'either' | 'light' | 'dark'

/** Overrides of the colors that stand at the elements, which is all that some programs read. */
const DARK =
  'body{background:#141414!important;color:#ececec!important}.foot{color:#a3a3a3!important}a{color:#8ab4f8!important}'

export interface Rendering {
  /** Words of the site's own, in place of the shipped ones. */
  readonly words?: MailWords | undefined
  readonly theme?: MailTheme
}

/** The two bodies of a mail. Values are text in both: nothing in them becomes markup, a placeholder or a header. */
export function renderMail(
  { template, locale, values }: MailContent,
  { product, url, path, header }: MailFrame,
  { words, theme = 'either' }: Rendering = {},
): RenderedMail {
  const { subject, paragraphs, footer } = mailTexts(locale, template, { ...values, product, url }, words)
  const link = path === '' ? [] : [url + path]
  return {
    subject: oneLine(subject),
    text: `${[...paragraphs.map(({ text }) => text), ...link, `-- \n${footer}`].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escaped(oneLine(subject))}</title>`,
      `<meta name="color-scheme" content="${theme === 'either' ? 'light dark' : theme}"><style>${darkRules(theme)}</style></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.6 sans-serif;color:#1a1a1a;background:#ffffff">',
      '<div style="max-width:560px;margin:0 auto">',
      ...(header === undefined ? [] : headerOf(header)),
      ...paragraphs.map(({ text, isCode }) =>
        isCode
          ? `<p style="font:600 32px/1.5 monospace;letter-spacing:6px">${escaped(text)}</p>`
          : `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`,
      ),
      ...link.map((address) => `<p><a style="color:#0b57d0" href="${escaped(address)}">${escaped(address)}</a></p>`),
      `<p class="foot" style="color:#6b6b6b;font-size:13px">${escaped(footer)}</p>`,
      '</div></body></html>\n',
    ].join(''),
  }
}

/** The bar has the color and no text on it, so any color may be chosen; the name has the color of the text, light or dark. */
function headerOf({ name, color, logo }: MailHeader): string[] {
  const image = `<img src="${escaped(logo)}" alt="" height="32" style="vertical-align:middle;margin-right:12px">`
  return [
    `<div style="height:4px;background:${escaped(color)}"></div>`,
    '<div style="padding:16px 0;font-size:18px;font-weight:600">',
    ...(logo === '' ? [] : [image]),
    `<span style="vertical-align:middle">${escaped(name)}</span></div>`,
  ]
}

function darkRules(theme: MailTheme): string {
  if (theme === 'light') return ''
  return theme === 'dark' ? DARK : `@media (prefers-color-scheme:dark){${DARK}}`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
