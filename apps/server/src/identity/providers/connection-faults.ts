import { AnswerTooLong, OutboundError } from '../../kernel/outbound/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** Codes of TLS that say the certificate is not to be trusted (Node and OpenSSL). */
const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/
const ALTNAME = 'ERR_TLS_CERT_ALTNAME_INVALID'

/** Why a place that was asked gave no answer that could be read. */
export type ConnectionFault =
  | { readonly kind: 'known'; readonly error: AppError }
  | { readonly kind: 'address'; readonly reason: OutboundError['reason'] }
  /** `isOtherName`: it can be trusted, for another name. */
  | { readonly kind: 'certificate'; readonly isOtherName: boolean }
  | { readonly kind: 'silent' }
  | { readonly kind: 'garbled' }

export function connectionFault(thrown: unknown): ConnectionFault {
  for (const error of causesOf(thrown)) {
    if (error instanceof AppError) return { kind: 'known', error }
    if (error instanceof OutboundError) return { kind: 'address', reason: error.reason }
    if (error instanceof AnswerTooLong) return { kind: 'garbled' }
    const code = codeOf(error)
    if (CERTIFICATE.test(code)) return { kind: 'certificate', isOtherName: code === ALTNAME }
    if (isSilence(error, code)) return { kind: 'silent' }
  }
  return { kind: 'garbled' }
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
