import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { speedFields, type SpeedValues } from '../transfer-limits/index.ts'
import type { UserField } from './user-values.ts'

/** How fast an account may be, and where it may be used. */
export function speedSchema(texts: Texts): Record<keyof SpeedValues | 'loginAddresses', Field<UserField>> {
  return {
    ...speedFields<UserField>({ texts, hint: texts('users.mbps.hint') }),
    loginAddresses: {
      kind: 'text',
      label: texts('users.loginAddresses'),
      hint: texts('users.loginAddresses.hint'),
      errors: ['ADDRESS_NOT_ALLOWED'],
      wire: 'loginAddresses',
      maxLength: 255,
      autoComplete: 'off',
      spellCheck: false,
      translate: 'no',
    },
  }
}
