import { type Locale, LOCALES } from '@godwit/i18n/locales'
import type { EntryPage } from '../src/entries/entry-pages.ts'
import { type Manifest, reached, textsModule } from './manifest.ts'

/**
 * For the head of a page, by language: everything its first view needs and its HTML does not name yet. Otherwise the browser would
 * learn of the texts and of each part when the code before it has run, one trip to the server after the other.
 */
export function pageHeads(manifest: Manifest, { html, first }: EntryPage): Readonly<Record<Locale, string>> {
  const named = new Set(reached(manifest, [html]).flatMap(({ file, css = [] }) => [file, ...css]))
  const headIn = (locale: Locale): string => {
    const texts = (first?.texts ?? []).map((bundle) => textsModule(locale, bundle))
    const chunks = reached(manifest, [...texts, ...(first?.parts ?? [])])
    const modules = chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`)
    const styles = chunks.flatMap(({ css = [] }) => css)
    const way = first?.isDrawn === true ? 'rel="stylesheet"' : 'rel="preload" as="style"'
    const sheets = [...new Set(styles)].map((file) => `<link ${way} crossorigin href="/${file}">`)
    const isNew = (line: string): boolean => ![...named].some((file) => line.includes(`"/${file}"`))
    return [...sheets, ...modules].filter(isNew).join('\n    ')
  }
  return Object.fromEntries(LOCALES.map((locale) => [locale, headIn(locale)])) as Record<Locale, string>
}
