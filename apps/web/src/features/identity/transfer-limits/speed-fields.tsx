import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { isMbps, isWeight, periodRows, periodsFault, type SpeedValues } from './speed-values.ts'

const SpeedPeriods = lazyPart(
  lazyModule(() => import('./speed-periods.tsx')),
  (module) => module.SpeedPeriods,
)

type SpeedField = keyof SpeedValues

export interface SpeedFieldsOptions {
  readonly texts: Texts
  /** Whose transfers the limits hold for. */
  readonly hint: string
  /** What the weight does, for whom, and what holds without one. */
  readonly weightHint: string
}

/** How fast all transfers of somebody, or in some place, together may be. */
export function speedFields<Name extends string>({
  texts,
  hint,
  weightHint,
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
    weight: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('users.weight'),
      hint: weightHint,
      rule: (value) => (isWeight(value.trim()) ? undefined : texts('users.weight.rule')),
      wire: 'weight',
      autoComplete: 'off',
    },
    periods: periodsField<Name | SpeedField>({ texts, name: 'periods', wire: 'speed.periods' }),
  }
}

export interface PeriodsFieldOptions<Name extends string> {
  readonly texts: Texts
  /** The field of the form that holds them. */
  readonly name: Name
  /** What the server calls them. */
  readonly wire: string
}

/** Parts of the week with limits of their own. */
export function periodsField<Name extends string>({ texts, name, wire }: PeriodsFieldOptions<Name>): Field<Name> {
  return {
    kind: 'custom',
    label: texts('users.periods'),
    wire,
    errors: ['SPEED_PERIODS_OVERLAP', 'TIME_RANGE_INVALID'],
    rule: (value) => {
      const fault = periodsFault(periodRows(value))
      return fault && texts(`users.periods.${fault}`)
    },
    render: (form, error) => {
      const { value, onChange } = form.field(name)
      return <SpeedPeriods value={value} error={error} onChange={(next) => onChange({ target: { value: next } })} />
    },
  }
}
