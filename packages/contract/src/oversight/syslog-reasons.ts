/** Apart from the schemas, which a page does not load. */

/** Why a syslog collector did not take messages. `off`: none is set. */
export const SYSLOG_REASONS = [
  'off',
  'unknown-host',
  'refused',
  'unreachable',
  'timeout',
  'disconnected',
  'no-tls',
  'certificate',
  'fingerprint',
  'other',
] as const
export type SyslogReason = (typeof SYSLOG_REASONS)[number]
