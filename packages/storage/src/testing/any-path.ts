import fc from 'fast-check'

/** Names that have led somewhere else in some product. */
const PARTS = [
  '..',
  '.',
  '',
  '...',
  '..\\',
  '\\',
  '%2e%2e',
  '..%2f',
  '\0',
  '\uD800',
  '．．',
  '∕',
  '~',
  '.godwit',
  '.GODWIT',
  'parts',
  'a',
  'é',
  'e\u0301',
  'C:',
  'con',
  ' ',
  '\n',
]

/** Paths made of hostile parts and any text, joined by slashes of every kind. */
export function anyPath(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(...PARTS),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.string({ maxLength: 12 }),
  )
  const slash = fc.constantFrom('/', '/', '/', '//', '\\', '/./', '/../')
  return fc.array(fc.tuple(part, slash), { maxLength: 8 }).map((pairs) => pairs.flat().slice(0, -1).join(''))
}
