/**
 * The one order of names, used by server and page alike: Han by pinyin, then Latin, numbers by value (文件2 before 文件10),
 * ties by code unit, so that no two different names are equal. Lists put folders before files on top of it.
 */
const LOCALE = 'zh-u-co-pinyin-kn-true'
const collator = new Intl.Collator(LOCALE, { sensitivity: 'variant' })
/** The same order, ignoring case: names that differ only in case are adjacent in it. */
const caseBlind = new Intl.Collator(LOCALE, { sensitivity: 'accent' })

/** @returns negative, 0 (only for equal strings) or positive */
export function compareNames(left: string, right: string): number {
  return collator.compare(left, right) || compareCodeUnits(left, right)
}

/** 0 for names that differ only in case, and for those that the order does not distinguish. */
export function compareIgnoringCase(left: string, right: string): number {
  return caseBlind.compare(left, right)
}

function compareCodeUnits(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Ends the letters of a key; what follows encodes upper and lower case. */
const END = 0x01
const LOWER = 0x02
const UPPER = 0x03
const FIRST_CODE = 0x10
/** Longer numbers are left to the collator, which splits them in its own way. */
const DIGITS_MAX = 200

/** Code of each printable ASCII character, in the collator's own order; all digits share one. */
const CODES = asciiCodes()

function asciiCodes(): Uint8Array {
  const codes = new Uint8Array(128)
  const characters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at))
  const groups = characters.filter((character) => !/[1-9A-Z]/.test(character)).toSorted(caseBlind.compare)
  for (const character of characters) {
    const group = /[0-9]/.test(character) ? '0' : character.toLowerCase()
    codes[character.charCodeAt(0)] = FIRST_CODE + groups.indexOf(group)
  }
  return codes
}

/** Upper bound for the bytes in the key of a name with this many bytes. */
export function nameKeyBytes(bytes: number): number {
  return 3 * bytes + 4
}

/** A name as UTF-8 within a buffer. */
export interface NameBytes {
  bytes: Uint8Array
  start: number
  end: number
}

/**
 * Writes the sort key of a name, for names of printable ASCII: keys compare bytewise like the names. Comparing two keys
 * costs a tenth of a call to the collator. Equal keys still have to be compared by {@link compareNames} (`01` and `1`).
 * @param into with room for {@link nameKeyBytes} behind `from`; bytes after the end of the key are undefined
 * @returns the end of the key; -1 for names with anything else in them
 */
export function writeNameKey(name: NameBytes, into: Uint8Array, from: number): number {
  const { bytes } = name
  let end = from
  let casesEnd = 0
  let pieces = 0
  for (let at = name.start; at < name.end; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x20 || byte > 0x7e) return -1
    into[end++] = CODES[byte] ?? 0
    pieces++
    if (byte >= 0x30 && byte <= 0x39) {
      const first = behindZeros(name, at)
      const last = behindDigits(name, first)
      if (last - first > DIGITS_MAX) return -1
      // How many digits first: a longer number is a larger one.
      into[end++] = FIRST_CODE + last - first
      for (let digit = first; digit < last; digit++) into[end++] = bytes[digit] ?? 0
      at = last - 1
    } else if (byte >= 0x41 && byte <= 0x5a) casesEnd = pieces
  }
  into[end++] = END
  return casesEnd === 0 ? end : writeCases(name, casesEnd, { into, at: end })
}

/**
 * Order of two names of printable ASCII by their bytes, the same as by their keys. For looking up a few names among very
 * many: writing all keys would take ten times as long.
 * @returns 0 where letters and numbers alone do not decide; {@link compareNames} then does
 */
export function comparePlainNames(left: NameBytes, right: NameBytes): number {
  let at = left.start
  let other = right.start
  while (at < left.end && other < right.end) {
    const byte = left.bytes[at] ?? 0
    const otherByte = right.bytes[other] ?? 0
    const byCode = (CODES[byte] ?? 0) - (CODES[otherByte] ?? 0)
    if (byCode !== 0) return byCode
    if (byte < 0x30 || byte > 0x39) {
      at++
      other++
      continue
    }
    const first = behindZeros(left, at)
    const otherFirst = behindZeros(right, other)
    at = behindDigits(left, first)
    other = behindDigits(right, otherFirst)
    if (Math.max(at - first, other - otherFirst) > DIGITS_MAX) return 0
    const byLength = at - first - (other - otherFirst)
    if (byLength !== 0) return byLength
    for (let digit = 0; first + digit < at; digit++) {
      const byDigit = (left.bytes[first + digit] ?? 0) - (right.bytes[otherFirst + digit] ?? 0)
      if (byDigit !== 0) return byDigit
    }
  }
  return left.end - at - (right.end - other)
}

/** Which of the first pieces (a character, or a whole number) are upper case. */
function writeCases(name: NameBytes, count: number, place: { readonly into: Uint8Array; readonly at: number }): number {
  let at = name.start
  for (let piece = 0; piece < count; piece++) {
    const byte = name.bytes[at] ?? 0
    place.into[place.at + piece] = byte >= 0x41 && byte <= 0x5a ? UPPER : LOWER
    at = byte >= 0x30 && byte <= 0x39 ? behindDigits(name, at) : at + 1
  }
  return place.at + count
}

function behindZeros({ bytes, end }: NameBytes, from: number): number {
  let at = from
  while (at < end && bytes[at] === 0x30) at++
  return at
}

function behindDigits({ bytes, end }: NameBytes, from: number): number {
  let at = from
  while (at < end && (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) at++
  return at
}
