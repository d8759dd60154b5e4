import { LIMITS, passwordFaults, type PasswordPreset } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'

const ACCOUNT = /^[A-Za-z0-9_]+$/
// Local part of letters, digits, underscore, dot, plus or hyphen, then a dotted domain.
const EMAIL = /^[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/

/** @throws AppError ACCOUNT_INVALID unless 3-30 letters, digits and underscores */
export function requireAccount(account: string): void {
  const fits = account.length >= LIMITS.accountMin && account.length <= LIMITS.accountMax
  if (!fits || !ACCOUNT.test(account)) {
    throw new AppError('ACCOUNT_INVALID', { min: LIMITS.accountMin, max: LIMITS.accountMax })
  }
}

export function isEmail(text: string): boolean {
  return text.length <= LIMITS.textInputMax && EMAIL.test(text)
}

/** @throws AppError EMAIL_INVALID */
export function requireEmail(email: string): void {
  if (!isEmail(email)) throw new AppError('EMAIL_INVALID')
}

/** @throws AppError PASSWORD_WEAK naming every fault */
export function requirePassword(password: string, account: string, preset: PasswordPreset): void {
  const faults = passwordFaults(password, account, preset)
  if (faults.length > 0) throw new AppError('PASSWORD_WEAK', { faults })
}

/** The form under which accounts and e-mails are compared. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
