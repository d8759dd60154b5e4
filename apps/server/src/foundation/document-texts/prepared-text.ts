/** Characters of a document that are kept; a book of 250 pages has as many. What follows is not found. */
export const MAX_CHARACTERS = 500_000

/** Scripts whose words have no space between them. */
export const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー]'

const WRAPPED = new RegExp(`(?<=${UNSPACED})[ \\t]*\\n[ \\t]*(?=${UNSPACED})`, 'gv')
/** Of Latin, Greek and Cyrillic letters. */
const MARKS = /[\u0300-\u036f]/g

/**
 * A text as it is kept and shown: compatibility forms of letters and digits as ordinary ones, without what is not seen (directions of writing among
 * it), one space for any white space. An ideograph at the end of a line is followed by that of the next.
 */
export function prepareText(raw: string): string {
  const text = raw.slice(0, MAX_CHARACTERS).toWellFormed()
  return (
    text
      .replaceAll(/\p{Cf}/gu, '')
      .normalize('NFC')
      // Punctuation stays as wide as Chinese has it.
      .replaceAll(/[^\p{P}\p{S}\p{ASCII}]+/gu, (letters) => letters.normalize('NFKC'))
      .replaceAll(MARKS, '')
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(WRAPPED, '')
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      // What came together may be one character now.
      .normalize('NFC')
      .trim()
      .slice(0, MAX_CHARACTERS)
      .toWellFormed()
  )
}

/**
 * What is compared: lower case, without accents. Each character stands where it stood in the prepared text, so that what is found
 * can be marked there.
 */
export function foldText(prepared: string): string {
  return prepared.normalize('NFD').replaceAll(MARKS, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}
