import { type Random, secureRandom } from '@godwit/base'

/** Letters and digits that are not confused when read aloud. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 3
const GROUP_LETTERS = 4

/** Minimum length of a chosen code, and minimum number of different characters. */
const MIN_CHARACTERS = 12
const MIN_DIFFERENT = 6

/** A one-time secret of 60 bits for two people who can talk to each other. */
export function newCode(random: Random = secureRandom): string {
  const letters = Array.from(random.fill(new Uint8Array(GROUPS * GROUP_LETTERS)), (byte) => LETTERS[byte % 32])
  return Array.from({ length: GROUPS }, (_value, group) =>
    letters.slice(group * GROUP_LETTERS, (group + 1) * GROUP_LETTERS).join(''),
  ).join('-')
}

/** The canonical form of a code, however it was typed: without spaces and hyphens, in lower case. */
export function normalCode(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s-]/gu, '').toLowerCase()
}

/**
 * Whether a code that a person chose may be guessed while a receiver waits. A guess takes a connection of its own, and the
 * receiver allows 3,600 in an hour (`GuessLimit`), so it takes no more than what keeps out lists of common passwords.
 */
export function isWeakCode(code: string): boolean {
  const characters = [...normalCode(code)]
  return characters.length < MIN_CHARACTERS || new Set(characters).size < MIN_DIFFERENT
}
