import type { NameFault, PasswordFault } from '@godwit/contract'

/** Why a file or folder name is refused. */
export const nameFaultTexts: Readonly<Record<NameFault, string>> = {
  empty: 'The name is empty.',
  'too-long': 'The name is too long. Use at most 255 characters (85 Chinese characters).',
  'forbidden-character': 'The name must not contain \\ / : " * ? < > |.',
  'control-character': 'The name contains an invisible control character. Type it again.',
  'malformed-unicode': 'The name contains a broken character. Type it again.',
  'dot-name': 'The names . and .. cannot be used.',
  'trailing-dot-or-space': 'The name must not end with a dot or a space; Windows cannot open such files.',
  'windows-reserved': 'This name is reserved by Windows. Choose another one.',
  'reserved-by-product': 'Names that begin with .godwit are reserved. Choose another one.',
}

/** Why a password is refused. */
export const passwordFaultTexts: Readonly<Record<PasswordFault, string>> = {
  length: 'The password is too short or too long.',
  space: 'The password must not contain spaces.',
  chinese: 'The password must not contain Chinese characters.',
  account: 'The password must not contain the account.',
  classes: 'Combine uppercase and lowercase letters, digits, and symbols.',
}

/** For a number that the catalogue does not hold; `{code}` is the number. */
export const unknownError = 'Unknown error ({code})'

/** For an answer that is neither a success nor a business error. */
export const serverUnavailable = 'The server is unavailable (overloaded or faulty). Try again later.'
