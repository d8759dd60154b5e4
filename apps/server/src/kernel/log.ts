import { pino, type Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** JSON lines on standard error: standard output belongs to what the operator asked for. */
export function createLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      hooks: { streamWrite: withoutControls },
      redact: { paths: ['password', 'token', '*.password', '*.token', 'headers.authorization'], censor: '[redacted]' },
    },
    pino.destination({ fd: 2, sync: false }),
  )
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
