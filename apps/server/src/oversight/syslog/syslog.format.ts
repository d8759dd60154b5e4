/** One record of a log, as a collector is to have it. */
export interface SyslogRecord {
  /** Unix milliseconds. */
  readonly at: number
  /** What kind of event: `user.edit`, `sign-in`. */
  readonly id: string
  /** Something was refused or failed. */
  readonly isFailure: boolean
  /** For rules of a collector; empty values are left out. */
  readonly facts: Readonly<Record<string, string | number>>
  /** All that is known, as JSON in the message. */
  readonly entry: object
}

/** Log audit (RFC 5424 table 1). */
const FACILITY = 13
const NOTICE = 5
const WARNING = 4
/** Reserved for examples (RFC 5612): the product has no number of its own. */
const ENTERPRISE = 32_473
/** Collectors take 8 KiB as a rule; RFC 5424 §6.1 asks for 2 KiB at least. */
const MESSAGE_MAX = 8192
const FACT_MAX = 256

/** A message of RFC 5424. What is too long for a collector loses the state before and after, and says so. */
export function syslogMessage(record: SyslogRecord, host: string): string {
  const { at, id, isFailure, facts, entry } = record
  const priority = FACILITY * 8 + (isFailure ? WARNING : NOTICE)
  const parameters = Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(String(value).slice(0, FACT_MAX))}"`)
    .join('')
  const head = `<${priority}>1 ${new Date(at).toISOString()} ${plain(host, 255)} godwit ${process.pid} ${plain(id, 32)}`
  const start = `${head} [godwit@${ENTERPRISE}${parameters}] \u{FEFF}`
  const whole = start + JSON.stringify(entry)
  if (Buffer.byteLength(whole) <= MESSAGE_MAX) return whole
  return start + JSON.stringify({ ...facts, cut: true })
}

/** A message with its length before it (RFC 6587 §3.4.1): a line break in it ends nothing. */
export function framed(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`
}

/** RFC 5424 §6.3.3. */
function escaped(value: string): string {
  return value.toWellFormed().replaceAll(/["\\\]]/g, (character) => `\\${character}`)
}

/** Printable ASCII without spaces; `-` stands for nothing. */
function plain(text: string, most: number): string {
  return text.replaceAll(/[^\u0021-\u007e]/g, '_').slice(0, most) || '-'
}
