import { normaliseName } from '@godwit/contract'

const ASCII = /^[\u0000-\u007f]*$/

/**
 * What a disk that folds case, and forms of accents, makes of a name: full case folding in NFC. Two names that fold alike are
 * one name, in clashes and in the patterns of rules. `ß` folds to `ss`, a final sigma to a sigma, the Kelvin sign to `k`;
 * the dotless `ı` stays itself.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase()
  // Upper case is the full mapping (`ß` -> `SS`); lower case before it brings in `ẞ`, whose upper case is itself.
  const folded = [...normaliseName(name).toLowerCase()].map(foldCharacter).join('')
  return normaliseName(folded)
}

function foldCharacter(character: string): string {
  // Dotless i has the upper case of another letter.
  if (character === 'ı') return character
  return character.toUpperCase().toLowerCase()
}
