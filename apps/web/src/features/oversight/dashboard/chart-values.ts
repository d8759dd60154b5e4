export interface ChartSeries {
  readonly name: string
  /** Null where nothing was measured. */
  readonly values: ReadonlyArray<number | null>
}

export interface LineChartProps {
  readonly name: string
  readonly title: string
  /** Unix milliseconds of each value, oldest first. */
  readonly times: readonly number[]
  /** At most two: they differ by colour and by dashes. */
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
  /** Of the axis; default what the values need. */
  readonly top?: number
  /** Until when the axis goes, Unix milliseconds. */
  readonly now: number
}

/** The values of all lines in one moment, in words. */
export function valuesAt(series: readonly ChartSeries[], at: number, format: (value: number) => string): string {
  return series.map(({ name, values }) => `${name} ${shown(values[at], format)}`).join(' · ')
}

export function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '-' : format(value)
}

export function clock(ms: number): string {
  const date = new Date(ms)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}
