import type { Locale } from '@godwit/i18n'
import type { Given } from './page-answers.ts'

/** Pieces of HTML, as `entries/drawn/first-view.tsx` of the page writes them. */
export interface Drawn {
  /** Of the `html` element. */
  readonly style: string
  /** For windows of this media query alone, and for the address without a query. */
  readonly media?: string
  readonly title: string
  readonly body: string
  /** Its fields may be typed into: the page's own take over what they hold. */
  readonly isLive?: true
}

/** For whom a page is drawn. */
export interface Wanted {
  /** First part of the page's addresses. */
  readonly under: string
  readonly locale: Locale
  readonly isPhone: boolean
}

/** Runs before the first paint: hides what was drawn from a browser that will show something else. */
const FIRST_VIEW_SCRIPT = '<script src="/assets/first-view.js"></script>'

/** @returns undefined where only the page's code knows what to show */
export type DrawFirstView = (wanted: Wanted, given: Given) => Promise<Drawn | undefined>

/** A built page with the answers that it is given and its first view. */
export function filled(html: string, given: Given, drawn: Drawn | undefined): string {
  const withAnswers = html.replace('</head>', () => `${answersBlock(given)}</head>`)
  if (drawn === undefined) return withAnswers
  const media = drawn.media === undefined ? '' : `data-media="${drawn.media}" `
  // Else nobody uses it yet: what is typed into it would be lost when the page's own takes its place.
  const state = drawn.isLive === true ? '' : ' disabled inert'
  return withAnswers
    .replace('<script ', () => `${FIRST_VIEW_SCRIPT}<script `)
    .replace('<html ', () => `<html style="${drawn.style}" ${media}`)
    .replace(/<title>.*?<\/title>/, () => `<title>${drawn.title}</title>`)
    .replace('<div id="root">', (root) => `<fieldset id="first"${state}>${drawn.body}</fieldset>${root}`)
}

/** A block of data for `lib/given-answers.ts` of the page; the policy of pages lets no other kind stand in HTML. */
function answersBlock(given: Given): string {
  if (Object.keys(given).length === 0) return ''
  return `<script type="application/json" id="answers">${JSON.stringify(given).replaceAll('<', '\\u003c')}</script>`
}
