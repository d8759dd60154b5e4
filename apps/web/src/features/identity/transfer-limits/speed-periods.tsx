import { PERIODS_MAX, periodAt } from '@godwit/contract/identity/speed-periods'
import { CircleAlert, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CheckGroup } from '../../../ui/check-group.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import fieldStyles from '../../../ui/text-field.module.css'
import { useServerTime } from './server-time.ts'
import {
  isFree,
  nextPeriod,
  overlapOf,
  periodFault,
  periodIn,
  type PeriodRow,
  periodRows,
  periodsText,
  timesOf,
} from './speed-values.ts'
import { ALL_DAYS, DAY_SETS, nameOfDay } from './week-days.ts'
import { clockText } from './week-drag.ts'
import { canBeDrawn, type WeekBlock, WeekGrid } from './week-grid.tsx'
import styles from './speed-periods.module.css'

export interface SpeedPeriodsProps {
  /** As the form holds them. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** Parts of the week with limits of their own: drawn in a grid, or typed in the list below it. */
export function SpeedPeriods({ value, onChange, error }: SpeedPeriodsProps) {
  const texts = useTexts()
  const rows = periodRows(value)
  const list = useRef<HTMLFieldSetElement>(null)
  // The one that was drawn or added last takes the focus when it appears.
  const [added, setAdded] = useState(-1)
  const now = useServerTime()
  const inForce = now === undefined ? -1 : periodAt(rows.map(timesOf), now)
  const change = (at: number, row: PeriodRow): void => onChange(periodsText(rows.with(at, row)))
  const add = (row: PeriodRow): void => {
    setAdded(rows.length)
    onChange(periodsText([...rows, row]))
  }
  const blocks = rows
    .map((row, at): WeekBlock => ({ ...timesOf(row), at, isWrong: overlapOf(rows, at) !== undefined }))
    .filter(canBeDrawn)
  return (
    <fieldset className={styles['periods']} ref={list}>
      <legend className={fieldStyles['label']}>{texts('users.periods')}</legend>
      <p className={fieldStyles['hint']}>{texts('users.periods.hint')}</p>
      <WeekGrid
        blocks={blocks}
        now={now}
        inForce={inForce}
        isFree={(times) => rows.length < PERIODS_MAX && isFree(rows, times)}
        onAdd={(times) => add(periodIn(times))}
        onPick={(at) => list.current?.querySelectorAll<HTMLElement>('[role=group] select')[at]?.focus()}
      />
      {now !== undefined && (
        <p className={fieldStyles['hint']}>
          {texts(inForce === -1 ? 'users.periods.now.none' : 'users.periods.now.one', {
            time: `${nameOfDay(String(now.day), texts.locale)} ${clockText(now.minute)}`,
            number: inForce + 1,
          })}
        </p>
      )}
      {rows.map((row, at) => (
        // Rows have no identity but their place.
        <Period
          key={at}
          number={at + 1}
          row={row}
          isInForce={at === inForce}
          isNew={at === added}
          isChecked={error !== undefined}
          overlap={overlapOf(rows, at)}
          onChange={(next) => change(at, next)}
          onRemove={() => onChange(periodsText(rows.toSpliced(at, 1)))}
        />
      ))}
      {error !== undefined && (
        <p className={fieldStyles['error']}>
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
      {rows.length < PERIODS_MAX && (
        <div>
          <Button onClick={() => add(nextPeriod(rows))}>
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
  /** It holds now. */
  readonly isInForce: boolean
  /** It was added just now. */
  readonly isNew: boolean
  readonly isChecked: boolean
  /** The place of one that has some of the same times. */
  readonly overlap: number | undefined
  readonly onChange: (row: PeriodRow) => void
  readonly onRemove: () => void
}

function Period({ number, row, isInForce, isNew, isChecked, overlap, onChange, onRemove }: PeriodProps) {
  const texts = useTexts()
  const fault = isChecked ? periodFault(row) : undefined
  const shared = overlap === undefined ? undefined : texts('users.periods.fault.overlap', { number: overlap + 1 })
  // Two that overlap are seen in the grid at once, so the reason is there as well.
  const message = fault === undefined ? shared : texts(`users.periods.fault.${fault}`)
  const field = (name: Exclude<keyof PeriodRow, 'days'>) => ({
    label: texts(`users.periods.${name}`),
    value: row[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ ...row, [name]: target.value.replaceAll(/\s/g, '') }),
  })
  return (
    <div className={styles['period']} role="group" aria-label={texts('users.periods.one', { number })}>
      <p className={styles['head']}>
        {texts('users.periods.one', { number })}
        {isInForce && <Tag tone="good">{texts('users.periods.in-force')}</Tag>}
      </p>
      <DaysField row={row} onChange={onChange} />
      <TextField type="time" {...field('start')} />
      <TextField type="time" {...field('end')} />
      <TextField inputMode="decimal" autoComplete="off" autoFocus={isNew} {...field('upload')} />
      <TextField inputMode="decimal" autoComplete="off" {...field('download')} />
      <IconButton
        label={texts('users.periods.remove', { number })}
        icon={<Trash2 size={18} aria-hidden="true" />}
        onClick={onRemove}
      />
      {setOf(row.days) === 'chosen' && <WeekDays row={row} onChange={onChange} />}
      {message !== undefined && (
        <p className={fieldStyles['error']}>
          <CircleAlert size={14} aria-hidden="true" />
          {message}
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
