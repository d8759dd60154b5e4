import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { addressListField, type AddressListOptions } from '../address-lists/index.ts'
import { speedFields, type SpeedValues } from '../transfer-limits/index.ts'
import type { UserField } from './user-values.ts'

/** How fast an account may be, and where it may be used. */
export function speedSchema(
  texts: Texts,
  addresses: Pick<AddressListOptions, 'held' | 'missing'>,
): Record<keyof SpeedValues | 'loginAddresses', Field<UserField>> {
  return {
    ...speedFields<UserField>({ texts, hint: texts('users.mbps.hint'), weightHint: texts('users.weight.hint') }),
    loginAddresses: {
      ...addressListField<UserField>({
        label: texts('users.loginAddresses'),
        hint: texts('users.loginAddresses.hint'),
        wire: 'loginAddresses',
        ...addresses,
      }),
      errors: ['ADDRESS_NOT_ALLOWED'],
    },
  }
}
