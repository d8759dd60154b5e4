import { LIMITS, nameFault, normaliseName, RESERVED_NAME, type NameFault } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'

/**
 * Splits a user's path into names, each in NFC. Applying it again changes nothing.
 * @throws AppError PARAMETER_INVALID, NAME_INVALID with the fault, PATH_TOO_LONG
 */
export function pathNames(text: string): string[] {
  const names = rawNames(text).map(normaliseName)
  for (const name of names) {
    const fault = unreachable(name)
    if (fault !== undefined) throw new AppError('NAME_INVALID', { fault })
  }
  if (Buffer.byteLength(names.join('/')) > LIMITS.pathMaxBytes) throw new AppError('PATH_TOO_LONG')
  return names
}

/** The names of a path as they were sent. @throws AppError PARAMETER_INVALID */
export function rawNames(text: string): string[] {
  if (!text.startsWith('/')) throw new AppError('PARAMETER_INVALID', { field: 'path' })
  return text.split('/').filter((name) => name !== '')
}

/** Most names: printable ASCII without slashes, no leading dot. Spares a million names of a big folder the checks below. */
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

/**
 * The NFC form of a name that is to be created.
 * @throws AppError NAME_INVALID with the fault
 */
export function newName(text: string): string {
  const name = normaliseName(text)
  const fault = nameFault(name)
  if (fault !== undefined) throw new AppError('NAME_INVALID', { fault })
  return name
}
