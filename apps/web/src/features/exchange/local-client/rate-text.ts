import type { RateUnit } from '@godwit/contract'

const STEP = 1000
const UNITS: Readonly<Record<RateUnit, readonly string[]>> = {
  bits: ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s'],
  bytes: ['B/s', 'kB/s', 'MB/s', 'GB/s'],
}
const BITS = 8

/** Three digits tell what changes; steps of 1000, so that 8 Mbit/s are 1 MB/s. */
export function rateText(bytesPerSecond: number, unit: RateUnit, locale: string): string {
  const names = UNITS[unit]
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
  let value = unit === 'bits' ? bytesPerSecond * BITS : bytesPerSecond
  let step = 0
  // What rounds up to the next step is shown in it.
  while (step < names.length - 1 && Number(value.toPrecision(3)) >= STEP) {
    value /= STEP
    step += 1
  }
  return `${format.format(value)} ${names[step] ?? ''}`
}

export function otherUnit(unit: RateUnit): RateUnit {
  return unit === 'bits' ? 'bytes' : 'bits'
}

/** Bytes a second of a limit in Mbit/s. */
export function bytesOfMbps(rateMbps: number): number {
  return (rateMbps * STEP * STEP) / BITS
}
