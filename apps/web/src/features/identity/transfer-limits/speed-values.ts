import type { AccountSpeed } from '@godwit/contract'

type Period = AccountSpeed['periods'][number]

/** A period as it is edited: days as digits from 1 (Monday) to 7, limits as they were typed. */
export interface PeriodRow {
  readonly days: string
  readonly start: string
  readonly end: string
  readonly upload: string
  readonly download: string
}

/** What the days of a period are chosen from; others are chosen one by one. */
export const DAY_SETS = { daily: '1234567', weekdays: '12345', weekend: '67' } as const
export const ALL_DAYS = [...DAY_SETS.daily]

export const NEW_PERIOD: PeriodRow = { days: DAY_SETS.weekdays, start: '08:00', end: '18:00', upload: '', download: '' }

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
  readonly periods: string
}

export function speedValuesOf({ uploadMbps, downloadMbps, periods }: AccountSpeed): SpeedValues {
  return {
    uploadMbps: mbpsText(uploadMbps),
    downloadMbps: mbpsText(downloadMbps),
    periods: periodsText(periods.map(rowOf)),
  }
}

export function speedOf({ uploadMbps, downloadMbps, periods }: SpeedValues): AccountSpeed {
  return {
    uploadMbps: mbpsOf(uploadMbps),
    downloadMbps: mbpsOf(downloadMbps),
    periods: periodRows(periods).map(periodOf),
  }
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
  if (start === '' || end === '' || endOf(end) <= start) return 'times'
  return isMbps(upload) && isMbps(download) ? undefined : 'limits'
}

const MBPS_MAX = 100_000

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

function rowOf({ days, start, end, uploadMbps, downloadMbps }: Period): PeriodRow {
  return {
    ...{ days: days.toSorted((a, b) => a - b).join(''), start, end: end === END_OF_DAY ? MIDNIGHT : end },
    ...{ upload: mbpsText(uploadMbps), download: mbpsText(downloadMbps) },
  }
}

function periodOf({ days, start, end, upload, download }: PeriodRow): Period {
  return {
    ...{ days: [...days].map(Number), start, end: endOf(end) },
    ...{ uploadMbps: mbpsOf(upload), downloadMbps: mbpsOf(download) },
  }
}

/** A field of times has no 24:00; midnight at the end of a period is the end of its day. */
const MIDNIGHT = '00:00'
const END_OF_DAY = '24:00'

function endOf(end: string): string {
  return end === MIDNIGHT ? END_OF_DAY : end
}
