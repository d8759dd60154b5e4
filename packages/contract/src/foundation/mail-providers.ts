/** Encryption of an SMTP connection, as numbers on the wire. */
export const MAIL_ENCRYPTION = { none: 0, ssl: 1, starttls: 2 } as const
export type MailEncryption = (typeof MAIL_ENCRYPTION)[keyof typeof MAIL_ENCRYPTION]

export interface MailProvider {
  /** `emailType` on the wire. */
  readonly wire: number
  readonly label: string
  /** Suggested server; empty when the user must enter it. */
  readonly host: string
  readonly port: number
  readonly encryption: MailEncryption
  /** Allowed choices. */
  readonly encryptions: readonly MailEncryption[]
}

const { none, ssl, starttls } = MAIL_ENCRYPTION
const SSL_ONLY = { port: 465, encryption: ssl, encryptions: [ssl] } as const
const STARTTLS_ONLY = { port: 587, encryption: starttls, encryptions: [starttls] } as const
const ANY = { port: 465, encryption: ssl, encryptions: [ssl, starttls, none] } as const

export const MAIL_PROVIDERS = {
  gmail: { wire: 0, label: 'Gmail', host: 'smtp.gmail.com', ...SSL_ONLY },
  aol: { wire: 1, label: 'AOL', host: 'smtp.aol.com', ...SSL_ONLY },
  icloud: { wire: 2, label: 'iCloud', host: 'smtp.mail.me.com', ...STARTTLS_ONLY },
  msn: { wire: 3, label: 'MSN', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  microsoft365: { wire: 4, label: 'Microsoft365', host: 'smtp.office365.com', ...STARTTLS_ONLY },
  outlook: { wire: 5, label: 'Outlook', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  hotmail: { wire: 6, label: 'Hotmail', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  live: { wire: 7, label: 'Live', host: 'smtp-mail.outlook.com', ...STARTTLS_ONLY },
  yahoo: { wire: 8, label: 'Yahoo', host: 'smtp.mail.yahoo.com', ...ANY },
  other: { wire: 9, label: 'Other', host: '', ...ANY },
} as const satisfies Readonly<Record<string, MailProvider>>

export type MailProviderName = keyof typeof MAIL_PROVIDERS
export const DEFAULT_MAIL_PROVIDER: MailProviderName = 'other'

/** Language of an e-mail on the wire (`emailLanguage`, `language`). */
export const MAIL_LANGUAGE = { 'zh-CN': 0, 'en-US': 1 } as const

/** Name of the provider with this `emailType`. */
export function mailProviderByWire(wire: number): MailProviderName | undefined {
  return (Object.keys(MAIL_PROVIDERS) as MailProviderName[]).find((name) => MAIL_PROVIDERS[name].wire === wire)
}
