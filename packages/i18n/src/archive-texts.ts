import { archives as english } from './en-us/archives.ts'
import type { Locale } from './locales.ts'
import { filledText } from './placeholders.ts'
import { archives as chinese } from './zh-cn/archives.ts'

const TEXTS = { 'zh-CN': chinese, 'en-US': english } as const

/** A folder of an archive with the number of entries that were left out of it. */
export interface OmittedEntries {
  /** Path inside the archive; '' for its top. */
  readonly folder: string
  readonly count: number
}

/** The file of an archive that says what is missing. */
export function omissionsFile(
  locale: Locale,
  leftOut: readonly OmittedEntries[],
): { readonly name: string; readonly content: string } {
  const texts = TEXTS[locale]
  const lines = leftOut.map(({ folder, count }) =>
    filledText(texts['left-out.folder'], { folder: `/${folder}`, count }),
  )
  return { name: texts['left-out.name'], content: `${[texts['left-out.content'], '', ...lines].join('\r\n')}\r\n` }
}
