import type { AccountSpeed } from '@godwit/contract'
import {
  doOverlap,
  MBPS_MAX,
  type PeriodTimes,
  type SpeedPeriod,
  WEIGHT_MAX,
} from '@godwit/contract/identity/speed-periods'
import { DAY_SETS } from './week-days.ts'

/** A period as it is edited: days as digits from 1 (Monday) to 7, limits as they were typed. */
export interface PeriodRow {
  readonly days: string
  readonly start: string
  readonly end: string
  readonly upload: string
  readonly download: string
}

export const NEW_PERIOD: PeriodRow = { days: DAY_SETS.weekdays, start: '08:00', end: '18:00', upload: '', download: '' }
const NEXT_PERIODS: ReadonlyArray<Pick<PeriodRow, 'days' | 'start' | 'end'>> = [
  { days: DAY_SETS.weekend, start: '08:00', end: '18:00' },
  { days: DAY_SETS.daily, start: '18:00', end: '00:00' },
  { days: DAY_SETS.daily, start: '00:00', end: '08:00' },
]

/** A period to begin with, in times that none has yet where there are any. */
export function nextPeriod(rows: readonly PeriodRow[]): PeriodRow {
  const choices = [NEW_PERIOD, ...NEXT_PERIODS.map((times) => ({ ...NEW_PERIOD, ...times }))]
  return choices.find((row) => isFree(rows, timesOf(row))) ?? NEW_PERIOD
}

/** The same in other times. */
export function periodIn({ days, start, end }: PeriodTimes): PeriodRow {
  return { ...NEW_PERIOD, days: days.join(''), start, end: end === END_OF_DAY ? MIDNIGHT : end }
}

/** Whether no period has any of these times. */
export function isFree(rows: readonly PeriodRow[], times: PeriodTimes): boolean {
  return !rows.some((row) => hasTimes(row) && doOverlap(timesOf(row), times))
}

export function timesOf({ days, start, end }: PeriodRow): PeriodTimes {
  return { days: [...days].map(Number), start, end: endOf(end) }
}

/** Days, and an end after the start. */
function hasTimes({ days, start, end }: PeriodRow): boolean {
  return days !== '' && start !== '' && end !== '' && endOf(end) > start
}

/** The place of another period that has some of the same times. */
export function overlapOf(rows: readonly PeriodRow[], at: number): number | undefined {
  const row = rows[at]
  if (row === undefined || !hasTimes(row)) return undefined
  const other = rows.findIndex(
    (each, index) => index !== at && hasTimes(each) && doOverlap(timesOf(each), timesOf(row)),
  )
  return other === -1 ? undefined : other
}

/** What is wrong with the periods as a whole: one that is not complete, or two that overlap. */
export function periodsFault(rows: readonly PeriodRow[]): 'rule' | 'overlap' | undefined {
  if (rows.some((row) => periodFault(row) !== undefined)) return 'rule'
  return rows.some((_row, at) => overlapOf(rows, at) !== undefined) ? 'overlap' : undefined
}

/** Periods as the value of one field: a line each, such as `12345 08:00-18:00 10 0`. */
export function periodsText(rows: readonly PeriodRow[]): string {
  return rows
    .map(({ days, start, end, upload, download }) => [days, `${start}-${end}`, upload, download].join(' '))
    .join('\n')
}

export function periodRows(text: string): readonly PeriodRow[] {
  if (text === '') return []
  return text.split('\n').map((line) => {
    const [days = '', times = '', upload = '', download = ''] = line.split(' ')
    const [start = '', end = ''] = times.split('-')
    return { days, start, end, upload, download }
  })
}

export interface SpeedValues {
  readonly uploadMbps: string
  readonly downloadMbps: string
  readonly weight: string
  readonly periods: string
}

export const NO_SPEED: SpeedValues = { uploadMbps: '', downloadMbps: '', weight: '', periods: '' }

/** How fast somebody, or a place, may be, and how a limit that several share is divided. */
export interface SpeedRules {
  readonly speed: AccountSpeed
  /** Null: that of the next wider place. */
  readonly weight: number | null
}

export function speedValuesOf({ speed: { uploadMbps, downloadMbps, periods }, weight }: SpeedRules): SpeedValues {
  return {
    uploadMbps: mbpsText(uploadMbps),
    downloadMbps: mbpsText(downloadMbps),
    weight: weight === null ? '' : String(weight),
    periods: periodRowsText(periods),
  }
}

export function speedOf({ uploadMbps, downloadMbps, periods }: Omit<SpeedValues, 'weight'>): AccountSpeed {
  return {
    uploadMbps: mbpsOf(uploadMbps),
    downloadMbps: mbpsOf(downloadMbps),
    periods: periodsOf(periods),
  }
}

export function weightOf({ weight }: Pick<SpeedValues, 'weight'>): number | null {
  return weight.trim() === '' ? null : Number(weight)
}

export function isWeight(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= WEIGHT_MAX
}

/** Periods as the value of their field. */
export function periodRowsText(periods: readonly SpeedPeriod[]): string {
  return periodsText(periods.map(rowOf))
}

export function periodsOf(text: string): AccountSpeed['periods'] {
  return periodRows(text).map(periodOf)
}

/** What is wrong with a period, if anything is. */
export function periodFault({
  days,
  start,
  end,
  upload,
  download,
}: PeriodRow): 'days' | 'times' | 'limits' | undefined {
  if (days === '') return 'days'
  if (!hasTimes({ days, start, end, upload, download })) return 'times'
  return isMbps(upload) && isMbps(download) ? undefined : 'limits'
}

/** Empty is no limit. */
export function isMbps(text: string): boolean {
  const value = Number(text.replace(',', '.'))
  return text === '' || (value >= 0 && value <= MBPS_MAX)
}

function mbpsOf(text: string): number {
  return Number(text.trim().replace(',', '.'))
}

/** 0 is no limit and stays empty. */
function mbpsText(value: number): string {
  return value === 0 ? '' : String(value)
}

function rowOf({ days, start, end, uploadMbps, downloadMbps }: SpeedPeriod): PeriodRow {
  return {
    ...{ days: days.toSorted((a, b) => a - b).join(''), start, end: end === END_OF_DAY ? MIDNIGHT : end },
    ...{ upload: mbpsText(uploadMbps), download: mbpsText(downloadMbps) },
  }
}

function periodOf(row: PeriodRow): AccountSpeed['periods'][number] {
  const { upload, download } = row
  return {
    ...timesOf(row),
    days: [...row.days].map(Number),
    ...{ uploadMbps: mbpsOf(upload), downloadMbps: mbpsOf(download) },
  }
}

/** A field of times has no 24:00; midnight at the end of a period is the end of its day. */
const MIDNIGHT = '00:00'
const END_OF_DAY = '24:00'

function endOf(end: string): string {
  return end === MIDNIGHT ? END_OF_DAY : end
}
