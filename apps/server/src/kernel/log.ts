import { MiB } from '@godwit/base'
import { pino, type Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Thousands of lines: enough for any pause of a reader, and no memory to speak of. */
const MOST_WAITING_BYTES = 4 * MiB
const STANDARD_ERROR = 2

export interface LogOptions {
  /** File descriptor for the lines. */
  readonly fd?: number
  /** Lines that the reader has not taken yet; what comes beyond them is dropped and counted. */
  readonly maxWaitingBytes?: number
}

/**
 * JSON lines on standard error: standard output belongs to what the operator asked for. A reader that stalls costs lines, never
 * memory: once it has caught up, one line says how many are missing.
 */
export function createLog(
  level: LogLevel,
  { fd = STANDARD_ERROR, maxWaitingBytes = MOST_WAITING_BYTES }: LogOptions = {},
): Logger {
  const destination = pino.destination({ fd, sync: false, maxLength: maxWaitingBytes })
  const log = pino(
    {
      level,
      base: null,
      hooks: { streamWrite: withoutControls },
      redact: { paths: ['password', 'token', '*.password', '*.token', 'headers.authorization'], censor: '[redacted]' },
    },
    destination,
  )
  let dropped = 0
  destination.on('drop', () => dropped++)
  destination.on('drain', () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    log.warn({ lines }, 'log lines were dropped: their reader did not keep up')
  })
  return log
}

/**
 * JSON already escapes line feeds and ESC. These it leaves as they are, and a terminal or a log viewer obeys them: DEL and
 * C1 controls, line and paragraph separators, marks that turn the direction of text.
 */
function withoutControls(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
