import { passwordFaults } from '@godwit/contract/passwords'
import type { Texts } from '../../../lib/texts.tsx'

export interface NewPassword {
  readonly password: string
  readonly repeat: string
}

/** What is wrong with a new password and its confirmation. */
export function newPasswordFaults(
  { password, repeat }: NewPassword,
  account: string,
  texts: Texts,
): Readonly<Partial<Record<keyof NewPassword, string | undefined>>> {
  const weak = passwordFaults(password, account)[0]
  return {
    password: password === '' ? texts('common.required') : weak === undefined ? undefined : texts.passwordFault(weak),
    repeat:
      repeat === '' ? texts('common.required') : repeat === password ? undefined : texts('password.repeat-different'),
  }
}
