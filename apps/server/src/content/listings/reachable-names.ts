import { LIMITS, RESERVED_NAME, type NameFault } from '@godwit/contract'

/** Most names: printable ASCII without slashes, no dot in front. Skips the checks below a million times in a big folder. */
const PLAIN = /^[ -\-0-[\]-~][ -.0-[\]-~]{0,199}$/

/**
 * Why an entry of this name can never be reached. Narrower than the rule for new names: what an administrator put on the
 * disk under a name we would not make (`a:b`, a trailing dot) can still be listed, read, renamed and removed.
 */
export function unreachable(name: string): NameFault | undefined {
  if (PLAIN.test(name)) return undefined
  if (!name.isWellFormed()) return 'malformed-unicode'
  if (name === '.' || name === '..') return 'dot-name'
  if (name.includes('\0')) return 'control-character'
  if (name === '' || /[\\/]/.test(name)) return 'forbidden-character'
  if (name.toLowerCase().startsWith(RESERVED_NAME)) return 'reserved-by-product'
  return Buffer.byteLength(name) > LIMITS.fileNameMaxBytes ? 'too-long' : undefined
}
