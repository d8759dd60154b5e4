import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { SpeedPeriods } from './speed-periods.tsx'
import { isMbps, periodFault, periodRows, type SpeedValues } from './speed-values.ts'
import type { UserField } from './user-values.ts'

/** How fast an account may be, and where it may be used. */
export function speedSchema(texts: Texts): Record<keyof SpeedValues | 'loginAddresses', Field<UserField>> {
  return {
    uploadMbps: speedField(texts, 'uploadMbps'),
    downloadMbps: speedField(texts, 'downloadMbps'),
    periods: {
      kind: 'custom',
      label: texts('users.periods'),
      rule: (value) =>
        periodRows(value).some((row) => periodFault(row) !== undefined) ? texts('users.periods.rule') : undefined,
      render: (form) => {
        const { value, onChange } = form.field('periods')
        const isWrong = form.faulty.includes('periods')
        return (
          <SpeedPeriods
            value={value}
            error={isWrong ? texts('users.periods.rule') : undefined}
            onChange={(next) => onChange({ target: { value: next } })}
          />
        )
      },
    },
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

function speedField(texts: Texts, name: 'uploadMbps' | 'downloadMbps'): Field<UserField> {
  return {
    kind: 'text',
    inputMode: 'decimal',
    label: texts(`users.${name}`),
    hint: texts('users.mbps.hint'),
    rule: (value) => (isMbps(value.trim()) ? undefined : texts('users.mbps.rule')),
    wire: `speed.${name}`,
    autoComplete: 'off',
  }
}
