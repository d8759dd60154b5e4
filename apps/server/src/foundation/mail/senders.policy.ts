import { MAIL_PROVIDERS, mailProviderByWire, type MailProvider, type MailSenderInput } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import { hasControls } from '../../kernel/plain-text.ts'

/** What decides where a password is sent, and how well it is hidden on the way. */
export interface Destination {
  readonly account: string
  readonly host: string
  readonly port: number
  readonly encryption: number
}

/** A stored password goes only where it was meant for: somebody with a borrowed session must not have it sent to a server of their own. */
export function keepsDestination(stored: Destination, wanted: Destination): boolean {
  return (
    stored.account === wanted.account &&
    stored.host === wanted.host &&
    stored.port === wanted.port &&
    stored.encryption === wanted.encryption
  )
}

/** @throws AppError PARAMETER_INVALID naming the field */
export function requireSender(wanted: Omit<MailSenderInput, 'emailPassword'>): void {
  const name = mailProviderByWire(wanted.emailType)
  if (name === undefined) throw invalid('emailType', 'no such provider')
  const provider: MailProvider = MAIL_PROVIDERS[name]
  if (!provider.encryptions.some((encryption) => encryption === wanted.emailEncryptType)) {
    throw invalid('emailEncryptType', `${provider.label} does not offer this`)
  }
  if (hasControls(wanted.emailFromName)) throw invalid('emailFromName', 'control characters')
  // What getaddrinfo and TLS take as a name or an address; anything else could only be meant to confuse.
  if (!/^[A-Za-z0-9]([A-Za-z0-9.:_-]*[A-Za-z0-9])?\.?$/.test(wanted.emailSmtpHost))
    throw invalid('emailSmtpHost', 'no host')
}

function invalid(field: string, rule: string): AppError {
  return new AppError('PARAMETER_INVALID', { field, rule })
}
