import { type Locale, LOCALES } from '@godwit/i18n/locales'
import type { EntryPage, Pieces } from '../src/entries/entry-pages.ts'
import { type Chunk, type Manifest, reached, textsModule } from './manifest.ts'

/**
 * For the head of a page, by language: everything its first view needs and its HTML does not name yet. Otherwise the browser would
 * learn of the texts and of each part when the code before it has run, one trip to the server after the other. What only those need
 * who are signed in is named for `assets/ahead.js`, which stands behind it.
 */
export function pageHeads(manifest: Manifest, page: EntryPage): Readonly<Record<Locale, string>> {
  return Object.fromEntries(LOCALES.map((locale) => [locale, headIn(locale, manifest, page)])) as Record<Locale, string>
}

function headIn(locale: Locale, manifest: Manifest, { html, first, inside }: EntryPage): string {
  const named = new Set(reached(manifest, [html]).flatMap(filesOf))
  const linesOf = ({ texts, parts = [] }: Pieces, line: (file: string) => string): string[] => {
    const chunks = reached(manifest, [...texts.map((bundle) => textsModule(locale, bundle)), ...parts])
    const files = new Set(chunks.flatMap(filesOf)).difference(named)
    for (const file of files) named.add(file)
    // The browser asks in this order: styles first.
    return [...files].toSorted((a, b) => Number(isStyle(b)) - Number(isStyle(a))).map(line)
  }
  const sheet = first?.isDrawn === true ? 'rel="stylesheet"' : 'rel="preload" as="style"'
  const atOnce = linesOf(first ?? NOTHING, (file) =>
    isStyle(file)
      ? `<link ${sheet} crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  )
  if (inside === undefined) return atOnce.join(BREAK)
  const ifSignedIn = linesOf(inside, (file) =>
    isStyle(file)
      ? `<link data-inside="preload" as="style" crossorigin href="/${file}">`
      : `<link data-inside="modulepreload" crossorigin href="/${file}">`,
  )
  const asks = `<script src="/assets/ahead.js" data-asks="${inside.asks.join(' ')}"></script>`
  return [...atOnce, ...ifSignedIn, asks].join(BREAK)
}

const NOTHING: Pieces = { texts: [] }
const BREAK = '\n    '

function filesOf({ file, css = [] }: Chunk): string[] {
  return [...css, file]
}

function isStyle(file: string): boolean {
  return file.endsWith('.css')
}
