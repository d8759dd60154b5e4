import type { PortalTexts } from '@godwit/i18n/portal'

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  y: 'ý',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  z: 'ž',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
  Y: 'Ý',
  C: 'Ç',
  N: 'Ñ',
  S: 'Š',
  Z: 'Ž',
}

/**
 * The pseudo-language of the translation test: accents, about 40 % longer, in brackets. A text on the screen that does
 * not begin with a bracket did not come from the catalogue. Switched on by `godwit.pseudo = on` in local storage.
 */
export function pseudo(texts: PortalTexts): PortalTexts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoText(text)])) as PortalTexts
}

function pseudoText(text: string): string {
  let depth = 0
  let result = ''
  for (const char of text) {
    if (char === '{') depth += 1
    result += depth === 0 ? (ACCENTS[char] ?? char) : char
    if (char === '}') depth -= 1
  }
  return `[${result}${'~'.repeat(Math.ceil(text.replaceAll(/\{.*\}/g, '').length * 0.4))}]`
}
