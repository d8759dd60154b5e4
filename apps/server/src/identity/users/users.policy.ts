import { LIMITS, passwordFaults, type PasswordPreset } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import type { UserRow } from './users.schema.ts'

type Usable = Pick<UserRow, 'locked' | 'valid_from' | 'valid_until'>

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

/** What keeps an account from being used now, if anything does. */
export function barOf(user: Usable, now: number): 'locked' | 'early' | 'over' | undefined {
  if (user.locked === 1) return 'locked'
  if (user.valid_from !== null && now < Number(user.valid_from)) return 'early'
  return user.valid_until !== null && now >= Number(user.valid_until) ? 'over' : undefined
}

export function isUsable(user: Usable, now: number): boolean {
  return barOf(user, now) === undefined
}

/** @throws AppError ACCOUNT_LOCKED, ACCOUNT_NOT_ACTIVATED, ACCOUNT_DISABLED */
export function requireUsable(user: Usable, now: number): void {
  const bar = barOf(user, now)
  if (bar === 'locked') throw new AppError('ACCOUNT_LOCKED', { byAdministrator: true })
  if (bar === 'early') throw new AppError('ACCOUNT_NOT_ACTIVATED')
  if (bar === 'over') throw new AppError('ACCOUNT_DISABLED')
}

/** The form under which accounts and e-mails are compared. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
