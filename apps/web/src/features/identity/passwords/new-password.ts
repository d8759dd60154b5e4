import { type PasswordPreset, passwordFaults } from '@godwit/contract/passwords'
import type { Texts } from '../../../lib/texts.tsx'

export interface NewPassword {
  readonly password: string
  readonly repeat: string
}

export interface PasswordRule {
  readonly preset: PasswordPreset
  /** The password must not contain it; empty when it is not known. */
  readonly account: string
}

export interface PasswordChange extends NewPassword {
  /** The password that was right until now. */
  readonly old: string
}

/** What is wrong with a change of the password. */
export function passwordChangeFaults(
  { old, ...fresh }: PasswordChange,
  rule: PasswordRule,
  texts: Texts,
): Readonly<Partial<Record<keyof PasswordChange, string | undefined>>> {
  return {
    old: old === '' ? texts('password.old-required') : undefined,
    ...newPasswordFaults(fresh, rule, texts),
  }
}

/** What is wrong with a new password and its confirmation. */
export function newPasswordFaults(
  { password, repeat }: NewPassword,
  { account, preset }: PasswordRule,
  texts: Texts,
): Readonly<Partial<Record<keyof NewPassword, string | undefined>>> {
  const weak = passwordFaults(password, account, preset)[0]
  return {
    password: password === '' ? texts('common.required') : weak === undefined ? undefined : texts.passwordFault(weak),
    repeat:
      repeat === '' ? texts('common.required') : repeat === password ? undefined : texts('password.repeat-different'),
  }
}
