import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { SpeedPeriods } from './speed-periods.tsx'
import { isMbps, periodFault, periodRows, type SpeedValues } from './speed-values.ts'

type SpeedField = keyof SpeedValues

export interface SpeedFieldsOptions {
  readonly texts: Texts
  /** Whose transfers the limits hold for. */
  readonly hint: string
}

/** How fast all transfers of somebody, or in some place, together may be. */
export function speedFields<Name extends string>({
  texts,
  hint,
}: SpeedFieldsOptions): Record<SpeedField, Field<Name | SpeedField>> {
  const speed = (name: 'uploadMbps' | 'downloadMbps'): Field<Name | SpeedField> => ({
    kind: 'text',
    inputMode: 'decimal',
    label: texts(`users.${name}`),
    hint,
    rule: (value) => (isMbps(value.trim()) ? undefined : texts('users.mbps.rule')),
    wire: `speed.${name}`,
    autoComplete: 'off',
  })
  return {
    uploadMbps: speed('uploadMbps'),
    downloadMbps: speed('downloadMbps'),
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
  }
}
