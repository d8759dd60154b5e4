import { LIMITS } from './limits.ts'

/** Why a file or folder name is refused. Each has a text of its own. */
export type NameFault =
  | 'empty'
  | 'too-long'
  | 'forbidden-character'
  | 'control-character'
  | 'malformed-unicode'
  | 'dot-name'
  | 'trailing-dot-or-space'
  | 'windows-reserved'
  | 'reserved-by-product'

const FORBIDDEN = /[\\/:"*?<>|]/
// C0, DEL, C1, line and paragraph separators: they forge log lines and break headers.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// Windows also ignores spaces between the device and its ending.
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\..*)?$/i
/** Everything the product hides in a storage is below this name. */
export const RESERVED_NAME = '.godwit'

/**
 * The one rule for names of files and folders, used by page and server alike.
 * @param name already in NFC (see {@link normaliseName})
 * @returns undefined when the name is accepted
 */
export function nameFault(name: string): NameFault | undefined {
  if (name.trim() === '') return 'empty'
  if (!name.isWellFormed()) return 'malformed-unicode'
  if (CONTROL.test(name)) return 'control-character'
  if (FORBIDDEN.test(name)) return 'forbidden-character'
  if (name === '.' || name === '..') return 'dot-name'
  if (/[. ]$/.test(name)) return 'trailing-dot-or-space'
  if (WINDOWS_DEVICE.test(name)) return 'windows-reserved'
  if (name.toLowerCase().startsWith(RESERVED_NAME)) return 'reserved-by-product'
  if ([...name].length > LIMITS.fileNameMax) return 'too-long'
  if (new TextEncoder().encode(name).length > LIMITS.fileNameMaxBytes) return 'too-long'
  return undefined
}

/** Names are stored in NFC. A name that is not well-formed Unicode is returned unchanged, for {@link nameFault} to refuse. */
export function normaliseName(name: string): string {
  return name.isWellFormed() ? name.normalize('NFC') : name
}
