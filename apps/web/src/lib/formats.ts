const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Size in 1024 steps, B to PB; a dash for a negative or missing one. */
export function formatSize(bytes: number | undefined, locale: string, digits = 1): string {
  if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return '-'
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const unit = UNITS[step] ?? 'B'
  return `${sizeNumber(locale, step === 0 ? 0 : digits).format(bytes / 1024 ** step)} ${unit}`
}

/** Whole bytes with thousands, for those who want it exact. */
export function formatExactBytes(bytes: number, locale: string): string {
  return sizeNumber(locale, 0).format(bytes)
}

const numbers = new Map<string, Intl.NumberFormat>()

function sizeNumber(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale}/${digits}`
  const known = numbers.get(key)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: digits, minimumFractionDigits: digits })
  numbers.set(key, format)
  return format
}

/**
 * `YYYY-MM-DD HH:mm:ss` in the reader's zone, in both languages.
 * @param seconds Unix seconds; zero, negative and more than 13 digits count as missing
 */
export function formatTime(seconds: number): string {
  if (!(seconds > 0) || seconds > 9_999_999_999_999) return '-'
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return '-'
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** The same without seconds. */
export function formatMinute(seconds: number): string {
  return formatTime(seconds).replace(/:\d\d$/, '')
}

/** The same moment with its zone, and in UTC: for a tooltip. */
export function formatTimeExactly(seconds: number, locale: string): string {
  if (!(seconds > 0)) return '-'
  const date = new Date(seconds * 1000)
  return `${exactTime(locale).format(date)} · ${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const exactTimes = new Map<string, Intl.DateTimeFormat>()

/** Made once: a list asks with every row. */
function exactTime(locale: string): Intl.DateTimeFormat {
  const known = exactTimes.get(locale)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
  exactTimes.set(locale, format)
  return format
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** Bytes a second, as MB/s in the 1024 steps of all sizes here. */
export function formatRate(bytesPerSecond: number | undefined, locale: string): string {
  return bytesPerSecond === undefined ? '-' : `${formatSize(bytesPerSecond, locale)}/s`
}

interface DurationParts {
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

interface DurationFormatter {
  format(parts: DurationParts): string
}

type DurationFormatConstructor = new (locale: string, options: { style: 'short' }) => DurationFormatter

const durations = new Map<string, DurationFormatter>()

/** "1 hr, 5 min" / "1小时5分钟"; a dash when unknown. Two units at most. */
export function formatDuration(seconds: number | undefined, locale: string): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '-'
  const whole = Math.max(1, Math.round(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const parts = hours > 0 ? { hours, minutes } : minutes > 0 ? { minutes, seconds: whole % 60 } : { seconds: whole }
  return durationFormat(locale).format(parts)
}

function durationFormat(locale: string): DurationFormatter {
  const known = durations.get(locale)
  if (known !== undefined) return known
  const { DurationFormat } = Intl as unknown as { DurationFormat?: DurationFormatConstructor }
  const made = DurationFormat === undefined ? plainDuration : new DurationFormat(locale, { style: 'short' })
  durations.set(locale, made)
  return made
}

/** For browsers without Intl.DurationFormat: `1:05:00`. */
const plainDuration: DurationFormatter = {
  format: ({ hours = 0, minutes = 0, seconds = 0 }) =>
    hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`,
}

/** Cuts a name in two for an ellipsis in the middle: the tail keeps the extension and the last characters before it. */
export function splitName(name: string): readonly [head: string, tail: string] {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 12 ? name.length - dot : 0
  const tail = Math.min(name.length, extension + 4)
  if (name.length <= 24 || tail >= name.length) return [name, '']
  return [name.slice(0, name.length - tail), name.slice(name.length - tail)]
}

/** Characters before the extension: what inline rename selects. A name that only begins with a dot has no extension. */
export function stemLength(name: string): number {
  const double = /\.tar\.[a-z\d]{1,4}$/i.exec(name)
  if (double !== null && double.index > 0) return double.index
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}
