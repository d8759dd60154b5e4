import { loadPortalTexts, loadTextBundle, type PortalKey, type TextBundle } from '@godwit/i18n/portal'
import type { View } from '../barriers.ts'

/** What the portal says in a language, by the key of the catalogue. */
export type Words = (key: PortalKey) => string

const BUNDLES: readonly TextBundle[] = ['inside', 'files', 'previews', 'uploads', 'recycle', 'links', 'share']

/** Reads the catalogue itself, so that a walk finds what it presses in either language. */
export async function wordsOf(locale: View['locale']): Promise<Words> {
  const parts = await Promise.all(BUNDLES.map((name) => loadTextBundle(locale, name)))
  const texts = new Map<string, string>(
    [await loadPortalTexts(locale), ...parts].flatMap((part) => Object.entries(part)),
  )
  return (key) => {
    const text = texts.get(key)
    if (text === undefined) throw new Error(`no bundle of the journeys holds ${key}`)
    return text
  }
}
