import { AppError } from '../../../kernel/errors.ts'
import { connectionFault } from '../connection-faults.ts'

/** What went wrong with the provider, as an error that its settings or its person can act on. */
export function signOnFault(thrown: unknown, at: { readonly step: string; readonly field: string }): AppError {
  const fault = connectionFault(thrown)
  switch (fault.kind) {
    case 'known':
      return fault.error
    case 'address':
      return new AppError('EXTERNAL_AUTH_UNREACHABLE', { ...at, reason: fault.reason }, { cause: thrown })
    case 'certificate':
      return new AppError('SIGN_ON_CERTIFICATE_INVALID', { ...at, field: 'ca' }, { cause: thrown })
    case 'silent':
      return new AppError('EXTERNAL_AUTH_UNREACHABLE', at, { cause: thrown })
    case 'garbled':
      return new AppError('SIGN_ON_ANSWER_INVALID', at, { cause: thrown })
  }
}

/** What an OAuth server names its refusal (RFC 6749 §5.2); '' for anything else. */
export function refusalOf(thrown: unknown): string {
  const isNamed = thrown instanceof Error && 'error' in thrown && typeof thrown.error === 'string'
  return isNamed ? String(thrown.error) : ''
}
