import { AppError } from '../../../kernel/errors.ts'
import { AnswerTooLong, OutboundError } from '../../../kernel/outbound/index.ts'

/** Codes of TLS that say the certificate is not to be trusted (Node and OpenSSL). */
const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

/** What went wrong with the provider, as an error that its settings or its person can act on. */
export function signOnFault(thrown: unknown, at: { readonly step: string; readonly field: string }): AppError {
  for (const error of causesOf(thrown)) {
    if (error instanceof AppError) return error
    if (error instanceof OutboundError)
      return new AppError('EXTERNAL_AUTH_UNREACHABLE', { ...at, reason: error.reason }, { cause: thrown })
    if (error instanceof AnswerTooLong) return new AppError('SIGN_ON_ANSWER_INVALID', at, { cause: thrown })
    const code = codeOf(error)
    if (CERTIFICATE.test(code))
      return new AppError('SIGN_ON_CERTIFICATE_INVALID', { ...at, field: 'ca' }, { cause: thrown })
    if (isSilence(error, code)) return new AppError('EXTERNAL_AUTH_UNREACHABLE', at, { cause: thrown })
  }
  return new AppError('SIGN_ON_ANSWER_INVALID', at, { cause: thrown })
}

function isSilence({ name }: Error, code: string): boolean {
  return name === 'TimeoutError' || name === 'AbortError' || /^(OAUTH_TIMEOUT|OAUTH_ABORT|E[A-Z]+|EPROTO)$/.test(code)
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = []
  for (let at = thrown; at instanceof Error && causes.length < 8; at = at.cause) causes.push(at)
  return causes
}

/** What an OAuth server names its refusal (RFC 6749 §5.2); '' for anything else. */
export function refusalOf(thrown: unknown): string {
  const isNamed = thrown instanceof Error && 'error' in thrown && typeof thrown.error === 'string'
  return isNamed ? String(thrown.error) : ''
}
