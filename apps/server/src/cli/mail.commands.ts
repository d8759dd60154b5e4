import {
  encodePassword,
  isEmail,
  MAIL_ENCRYPTION,
  MAIL_PROVIDERS,
  type MailProviderName,
  type MailSenderInput,
} from '@godwit/contract'
import { openMail, saveSender, senderInfo, serverOf, SYSTEM, type MailSystem } from '../foundation/mail/index.ts'
import { createSettings } from '../foundation/settings/index.ts'
import { openKernel } from '../kernel/kernel.ts'
import { misused, PASSWORD_OPTION, passwordIn, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withNewDatabase } from './installation.ts'

const ENCRYPTIONS = Object.keys(MAIL_ENCRYPTION) as ReadonlyArray<keyof typeof MAIL_ENCRYPTION>
const PROVIDERS = Object.keys(MAIL_PROVIDERS) as readonly MailProviderName[]
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

const show: Command = {
  name: 'mail show',
  summary: 'Show the mail sender of the system; its password is never shown',
  positionals: [],
  options: {},
  examples: ['godwit mail show'],
  run: async (call) =>
    withMail(call, async ({ senders }) => {
      const sender = senders.configured
      const { emailPasswordSet, ...info } = await senderInfo(senders, SYSTEM)
      const facts =
        sender === undefined
          ? {
              source: info.configured ? 'stored' : 'none',
              fromName: info.emailFromName,
              account: info.emailAccount,
              host: info.emailSmtpHost,
              port: info.emailSmtpPort,
              encryption: encryptionName(info.emailEncryptType),
              passwordSet: emailPasswordSet,
            }
          : {
              source: 'configuration',
              fromName: sender.fromName,
              account: sender.account,
              host: sender.host,
              port: sender.port,
              encryption: encryptionName(sender.encryption),
              passwordSet: sender.password !== '',
            }
      const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(12)}  ${String(value)}`)
      call.show(
        facts,
        facts.source === 'none' ? 'The system has no mail sender yet: godwit mail set.' : lines.join('\n'),
      )
      return EXIT.ok
    }),
}

const set: Command = {
  name: 'mail set',
  summary: 'Set the mail sender of the system; without --password-file the stored password stays',
  positionals: [],
  options: {
    account: {
      type: 'string',
      summary: 'E-mail address to send from and sign in with',
      value: 'EMAIL',
      required: true,
    },
    provider: { type: 'string', summary: `One of ${PROVIDERS.join(', ')} (default: other)`, value: 'NAME' },
    'smtp-host': { type: 'string', summary: 'Mail server (default: the provider’s)', value: 'HOST' },
    'smtp-port': { type: 'string', summary: 'Its port (default: the provider’s)', value: 'PORT' },
    encryption: { type: 'string', summary: 'ssl, starttls or none (default: the provider’s)', value: 'KIND' },
    'from-name': { type: 'string', summary: 'Name shown as the sender (default: Godwit)', value: 'NAME' },
    'password-file': PASSWORD_OPTION,
  },
  examples: [
    'godwit mail set --provider gmail --account files@example.org --password-file ./mail.txt',
    'godwit mail set --smtp-host mail.example.org --smtp-port 587 --encryption starttls --account files@example.org --password-file -',
  ],
  run: async (call) =>
    withMail(call, async ({ senders }) => {
      const wanted = wantedSender(call)
      if (typeof wanted === 'string') return misused(call, wanted)
      if (senders.configured !== undefined) call.io.stderr('godwit: mail.host in the configuration goes before this.\n')
      await saveSender(senders, SYSTEM, wanted)
      const { emailAccount, emailSmtpHost, emailSmtpPort } = await senderInfo(senders, SYSTEM)
      call.show(
        { account: emailAccount, host: emailSmtpHost, port: emailSmtpPort },
        `Mails of the system go out as ${emailAccount} by ${emailSmtpHost}:${emailSmtpPort}. Try it: godwit mail test --to EMAIL`,
      )
      return EXIT.ok
    }),
}

const test: Command = {
  name: 'mail test',
  summary: 'Send a test mail by the mail sender of the system',
  positionals: [],
  options: { to: { type: 'string', summary: 'Who gets it', value: 'EMAIL', required: true } },
  examples: ['godwit mail test --to mei@example.org'],
  run: async (call) =>
    withMail(call, async ({ senders, mailer }) => {
      const to = textOf(call, 'to') ?? ''
      if (!isEmail(to)) return misused(call, `${to} is no e-mail address`)
      await mailer.requireConfigured()
      const server = await serverOf(senders, SYSTEM)
      if (server === undefined) throw new Error('a sender vanished')
      const tested = await mailer.test(server, to, { locale: 'en-US' })
      call.show(tested, `${server.host} took the mail to ${to}: ${tested.serverAnswer}`)
      return EXIT.ok
    }),
}

export const MAIL_COMMANDS: readonly Command[] = [show, set, test]

/** The input of the console's form, made of the options; a text says what is wrong with them. */
function wantedSender(call: Invocation): MailSenderInput | string {
  const providerName = PROVIDERS.find((name) => name === (textOf(call, 'provider') ?? 'other'))
  if (providerName === undefined) return `provider must be one of ${PROVIDERS.join(', ')}`
  const provider = MAIL_PROVIDERS[providerName]
  const typed = textOf(call, 'encryption')
  const encryption = typed === undefined ? provider.encryption : encryptionOf(typed)
  if (encryption === undefined) return `encryption must be one of ${ENCRYPTIONS.join(', ')}`
  const host = textOf(call, 'smtp-host') ?? provider.host
  if (host === '') return '--smtp-host is missing'
  const account = textOf(call, 'account') ?? ''
  if (!isEmail(account)) return `${account} is no e-mail address`
  const passwordFile = textOf(call, 'password-file')
  const port = Number(textOf(call, 'smtp-port') ?? provider.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'smtp-port must be a number from 1 to 65535'
  return {
    emailFromName: textOf(call, 'from-name') ?? 'Godwit',
    emailType: provider.wire,
    emailAccount: account,
    emailPassword: encodePassword(passwordFile === undefined ? '' : passwordIn(passwordFile)),
    emailSmtpHost: host,
    emailSmtpPort: port,
    emailEncryptType: encryption,
  }
}

async function withMail(call: Invocation, work: (mail: MailSystem) => Promise<ExitCode>): Promise<ExitCode> {
  return withNewDatabase(call, async (database) => {
    const { config } = call.loaded
    const kernel = openKernel({ ...call.io, config, database, log: SILENT })
    return work(openMail(kernel, createSettings(kernel)))
  })
}

function encryptionOf(name: string): number | undefined {
  const known = ENCRYPTIONS.find((encryption) => encryption === name)
  return known === undefined ? undefined : MAIL_ENCRYPTION[known]
}

function encryptionName(encryption: number): string {
  return ENCRYPTIONS.find((name) => MAIL_ENCRYPTION[name] === encryption) ?? ''
}
