/** What one subject reached in one load: a figure for each run. */
export interface Measured {
  readonly subject: string
  /** Unit of `values`: `MB/s`, `files/s`, `ms`, `requests/s`, `MiB`. */
  readonly unit: string
  readonly values: readonly number[]
  /** Whether less is better. */
  readonly lessIsBetter?: boolean
  /** CPU seconds of the serving process per GiB moved, by run. */
  readonly cpuPerGiB?: readonly number[]
  /** A limit that the median is to keep; such a row is compared with nothing else. */
  readonly atMost?: number
  readonly atLeast?: number
}

/** One load with everything measured in it, ours first. */
export interface Table {
  readonly load: string
  readonly conditions: string
  readonly rows: readonly Measured[]
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** How many times better ours is; above 1 we win, whether more or less is better. */
export function ratio(ours: Measured, other: Measured): number {
  const quotient = median(ours.values) / median(other.values)
  return other.lessIsBetter === true ? 1 / quotient : quotient
}

/** The table as text: median, range and ratio to ours. */
export function printed({ load, conditions, rows }: Table): string {
  const [ours] = rows
  const lines = rows.map((row) => {
    const range = `${short(Math.min(...row.values))}-${short(Math.max(...row.values))}`
    const cpu = row.cpuPerGiB === undefined ? '' : `${median(row.cpuPerGiB).toFixed(2)} CPU s/GiB`
    const against =
      limitOf(row) ?? (ours === undefined || row === ours ? '' : `ours/this ${ratio(ours, row).toFixed(2)}`)
    return (
      `  ${row.subject.padEnd(34)} ${short(median(row.values)).padStart(9)} ${row.unit.padEnd(11)} (${range})`.padEnd(
        78,
      ) + `${cpu.padEnd(18)}${against}`
    )
  })
  return [`${load} - ${conditions}`, ...lines, ''].join('\n')
}

/** What a row is to keep, and whether it does. */
function limitOf({ values, atMost, atLeast }: Measured): string | undefined {
  const kept = (isKept: boolean): string => (isKept ? 'kept' : 'MISSED')
  if (atMost !== undefined) return `at most ${atMost}: ${kept(median(values) <= atMost)}`
  if (atLeast !== undefined) return `at least ${atLeast}: ${kept(median(values) >= atLeast)}`
  return undefined
}

function short(value: number): string {
  if (value < 1) return String(Number(value.toPrecision(2)))
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
