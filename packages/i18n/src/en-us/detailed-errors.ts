import type { ErrorName } from '@godwit/contract'

/** Used in place of the plain text when the data of the error has a number for every placeholder (seconds also as minutes). */
export const detailedErrors: Readonly<Partial<Record<ErrorName, string>>> = {
  PASSWORD_WRONG:
    'The account or password is wrong. Failed attempts: {loginFailTimes} of {maxLockTimes}; then the account is locked for {lockMinutes} min.',
  ACCOUNT_LOCKED: 'This account is locked. Try again in {minutesLeft} min or ask your administrator.',
  ADDRESS_LOCKED: 'This network address is locked after too many failed attempts. Try again in {minutesLeft} min.',
  RATE_LIMITED: 'Too many attempts. Try again in {retryAfterSeconds} s.',
  EDITION_USER_LIMIT: 'This edition allows {limit} users at most. Remove one or upgrade.',
  CLIENT_CONNECTION_LIMIT: 'This edition allows {limit} connected clients at most. Close one or upgrade.',
  SHARE_TOO_MANY_FILES: 'One link can hold {limit} files at most. Select fewer, or share their folder.',
  TOO_MANY_PATHS: 'You can select at most {limit} items at once. Select fewer.',
  NAME_TOO_LONG: 'The name is too long. Use at most {max} characters.',
  REMARK_TOO_LONG: 'The remark is too long. Use at most {max} characters.',
  STORAGE_SLICE_SIZE_INVALID: 'The slice size must be between {min} and {max} bytes.',
}
