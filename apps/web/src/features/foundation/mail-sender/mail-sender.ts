import type { MailSenderInfo, MailSenderInput } from '@godwit/contract'
import {
  MAIL_ENCRYPTION,
  MAIL_PROVIDERS,
  type MailProvider,
  type MailProviderName,
  mailProviderByWire,
} from '@godwit/contract/foundation/mail-providers'
import { encodePassword } from '@godwit/contract/passwords'

export interface SenderFields {
  readonly from: string
  readonly provider: string
  readonly account: string
  readonly password: string
  readonly host: string
  readonly port: string
  readonly encryption: string
}

export function senderFields(sender: MailSenderInfo): Record<keyof SenderFields, string> {
  return {
    from: sender.emailFromName,
    provider: String(sender.emailType),
    account: sender.emailAccount,
    password: '',
    host: sender.emailSmtpHost,
    port: String(sender.emailSmtpPort),
    encryption: String(sender.emailEncryptType),
  }
}

export function senderInput(fields: SenderFields): MailSenderInput {
  return {
    emailFromName: fields.from.trim(),
    emailType: Number(fields.provider),
    emailAccount: fields.account.trim(),
    emailPassword: fields.password === '' ? '' : encodePassword(fields.password),
    emailSmtpHost: fields.host.trim(),
    emailSmtpPort: Number(fields.port),
    emailEncryptType: Number(fields.encryption),
  }
}

export function providerOf(wire: string): MailProvider {
  const name: MailProviderName = mailProviderByWire(Number(wire)) ?? 'other'
  return MAIL_PROVIDERS[name]
}

/** What choosing a provider fills in: its server when it has one, its port and its encryption. */
export function presetOf(wire: string): Partial<SenderFields> {
  const { host, port, encryption } = providerOf(wire)
  return {
    provider: wire,
    ...(host === '' ? {} : { host }),
    port: String(port),
    encryption: String(encryption),
  }
}

const USUAL_PORTS: Readonly<Record<number, string>> = {
  [MAIL_ENCRYPTION.none]: '25',
  [MAIL_ENCRYPTION.ssl]: '465',
  [MAIL_ENCRYPTION.starttls]: '587',
}

/** Another encryption brings its usual port along, unless the port is one of the person's own. */
export function withEncryption({ port }: Pick<SenderFields, 'port'>, encryption: string): Partial<SenderFields> {
  const isUsual = Object.values(USUAL_PORTS).includes(port.trim())
  return { encryption, ...(isUsual ? { port: USUAL_PORTS[Number(encryption)] ?? port } : {}) }
}

/** The stored password goes nowhere else: an empty field keeps it only while the server and the account stay the same. */
export function keepsPassword(fields: SenderFields, sender: MailSenderInfo): boolean {
  const wanted = senderInput(fields)
  return (
    sender.emailPasswordSet &&
    wanted.emailAccount === sender.emailAccount &&
    wanted.emailSmtpHost === sender.emailSmtpHost &&
    wanted.emailSmtpPort === sender.emailSmtpPort &&
    wanted.emailEncryptType === sender.emailEncryptType
  )
}
