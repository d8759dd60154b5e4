import { CircleAlert, Plus, Trash2 } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CheckGroup } from '../../../ui/check-group.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import fieldStyles from '../../../ui/text-field.module.css'
import { ALL_DAYS, DAY_SETS, NEW_PERIOD, periodFault, type PeriodRow, periodRows, periodsText } from './speed-values.ts'
import styles from './speed-periods.module.css'

export interface SpeedPeriodsProps {
  /** As the form holds them. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

const PERIODS_MAX = 20

/** Parts of the day with limits of their own. */
export function SpeedPeriods({ value, onChange, error }: SpeedPeriodsProps) {
  const texts = useTexts()
  const rows = periodRows(value)
  const change = (at: number, row: PeriodRow): void => onChange(periodsText(rows.with(at, row)))
  return (
    <fieldset className={styles['periods']}>
      <legend className={fieldStyles['label']}>{texts('users.periods')}</legend>
      <p className={fieldStyles['hint']}>{texts('users.periods.hint')}</p>
      {rows.map((row, at) => (
        // Rows have no identity but their place.
        <Period
          key={at}
          number={at + 1}
          row={row}
          isChecked={error !== undefined}
          onChange={(next) => change(at, next)}
          onRemove={() => onChange(periodsText(rows.toSpliced(at, 1)))}
        />
      ))}
      {rows.length < PERIODS_MAX && (
        <div>
          <Button onClick={() => onChange(periodsText([...rows, NEW_PERIOD]))}>
            <Plus size={18} aria-hidden="true" />
            {texts('users.periods.add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface PeriodProps {
  readonly number: number
  readonly row: PeriodRow
  readonly isChecked: boolean
  readonly onChange: (row: PeriodRow) => void
  readonly onRemove: () => void
}

function Period({ number, row, isChecked, onChange, onRemove }: PeriodProps) {
  const texts = useTexts()
  const fault = isChecked ? periodFault(row) : undefined
  const field = (name: Exclude<keyof PeriodRow, 'days'>) => ({
    label: texts(`users.periods.${name}`),
    value: row[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ ...row, [name]: target.value.replaceAll(/\s/g, '') }),
  })
  return (
    <div className={styles['period']} role="group" aria-label={texts('users.periods.one', { number })}>
      <DaysField row={row} onChange={onChange} />
      <TextField type="time" {...field('start')} />
      <TextField type="time" {...field('end')} />
      <TextField inputMode="decimal" autoComplete="off" {...field('upload')} />
      <TextField inputMode="decimal" autoComplete="off" {...field('download')} />
      <IconButton
        label={texts('users.periods.remove', { number })}
        icon={<Trash2 size={18} aria-hidden="true" />}
        onClick={onRemove}
      />
      {setOf(row.days) === 'chosen' && <WeekDays row={row} onChange={onChange} />}
      {fault !== undefined && (
        <p className={fieldStyles['error']}>
          <CircleAlert size={14} aria-hidden="true" />
          {texts(`users.periods.fault.${fault}`)}
        </p>
      )}
    </div>
  )
}

type DaySet = keyof typeof DAY_SETS | 'chosen'

function setOf(days: string): DaySet {
  return (Object.keys(DAY_SETS) as Array<keyof typeof DAY_SETS>).find((name) => DAY_SETS[name] === days) ?? 'chosen'
}

type DaysProps = Pick<PeriodProps, 'row' | 'onChange'>

function DaysField({ row, onChange }: DaysProps) {
  const texts = useTexts()
  const choices: readonly DaySet[] = ['daily', 'weekdays', 'weekend', 'chosen']
  return (
    <SelectField
      label={texts('users.periods.days')}
      value={setOf(row.days)}
      choices={choices.map((value) => ({ value, label: texts(`users.periods.${value}`) }))}
      onChange={({ target }) => {
        const set = choices.find((each) => each === target.value) ?? 'daily'
        onChange({ ...row, days: set === 'chosen' ? '1' : DAY_SETS[set] })
      }}
    />
  )
}

/** 1 January 2024 was a Monday. */
const nameOfDay = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short' }).format(new Date(2024, 0, Number(day)))

function WeekDays({ row, onChange }: DaysProps) {
  const texts = useTexts()
  return (
    <div className={styles['days']}>
      <CheckGroup
        label={texts('users.periods.days')}
        choices={ALL_DAYS.map((value) => ({ value, label: nameOfDay(value, texts.locale) }))}
        chosen={new Set(row.days)}
        onChange={(chosen) => onChange({ ...row, days: [...chosen].toSorted().join('') })}
      />
    </div>
  )
}
