import type { SyslogReason } from '@godwit/contract'

/** The collector's certificate is not the one of the settings. */
export class OtherCertificate extends Error {
  constructor(fingerprint: string) {
    super(`the collector shows another certificate: ${fingerprint}`)
  }
}

/** The collector holds its connection open and reads no more. */
export class CollectorStalled extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('the collector stopped reading')
  }
}

const REASONS: Readonly<Record<string, SyslogReason>> = {
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EACCES: 'unreachable',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  ECONNRESET: 'disconnected',
  EPIPE: 'disconnected',
  EPROTO: 'no-tls',
}

/** Codes of Node for a certificate that does not hold: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, … */
const CERTIFICATE = /CERT|UNABLE_TO|ALTNAME/

/** Why a delivery failed, as one of the reasons that have words in both languages. */
export function faultOf(thrown: unknown): SyslogReason {
  if (thrown instanceof OtherCertificate) return 'fingerprint'
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return faultOf(thrown.errors[0])
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (code.startsWith('ERR_SSL')) return 'no-tls'
  return REASONS[code] ?? (CERTIFICATE.test(code) ? 'certificate' : 'other')
}
