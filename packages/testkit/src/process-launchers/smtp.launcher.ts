import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { launch, run } from './program.ts'

/** A mail server of the test's own. It keeps every mail and delivers none. */
export interface Smtp {
  /** Accepts mail from anybody, without encryption. */
  readonly plainPort: number
  /** Requires STARTTLS, then the account. */
  readonly starttlsPort: number
  /** Uses TLS from the start, then requires the account. */
  readonly sslPort: number
  readonly account: string
  readonly password: string
  /** Authority of its certificate, in PEM and as a file (for NODE_EXTRA_CA_CERTS). It is for `localhost` and 127.0.0.1. */
  readonly ca: string
  readonly caFile: string
  /** For a server that sends its mails here, by STARTTLS and with the account. */
  readonly environment: Readonly<Record<string, string>>
  /** Everything kept so far, in the order of arrival. */
  mails(): Promise<readonly KeptMail[]>
  /** Waits for the `count`th mail to this address. */
  mailTo(address: string, count?: number): Promise<KeptMail>
  /** The commands of callers: `['RCPT', 'TO:<a@b.cd>']`. */
  commands(): Promise<ReadonlyArray<readonly [string, string]>>
  stop(): Promise<void>
}

export interface KeptMail {
  /** Envelope. */
  readonly from: string
  readonly recipients: readonly string[]
  readonly hello: string
  readonly encrypted: boolean
  readonly signedIn: boolean
  /** As it came over the wire. */
  readonly content: string
  readonly parsed: Email
}

/** Debian's own Python has the library; another one may come first in the path. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = join(import.meta.dirname, 'smtp-server.py')
const LOOK_EVERY_MS = 50

/** Addresses that begin with `refused@`, `later@` and `never@` are refused, deferred once, and always deferred. */
export async function launchSmtp(): Promise<Smtp> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-smtp-'))
  const [key, caFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const certificate = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', caFile, '-days', '2', '-addext', names]
  await run(['openssl', 'req', '-x509', '-subj', '/CN=localhost', ...certificate])
  const [account, password] = ['sender@example.org', 'Mail-password-7']
  const server = await launch([PYTHON, SCRIPT, folder, caFile, key, account, password], {
    isReady: (output) => output.includes('"ssl"'),
  })
  const ports = JSON.parse(server.output().split('\n')[0] ?? '') as Record<'plain' | 'starttls' | 'ssl', number>
  const mails = () => readMails(folder)
  return {
    plainPort: ports.plain,
    starttlsPort: ports.starttls,
    sslPort: ports.ssl,
    account,
    password,
    ca: await readFile(caFile, 'utf8'),
    caFile,
    environment: {
      GODWIT_OUTBOUND_ALLOW: '127.0.0.1',
      GODWIT_MAIL_HOST: '127.0.0.1',
      GODWIT_MAIL_PORT: String(ports.starttls),
      GODWIT_MAIL_ACCOUNT: account,
      GODWIT_MAIL_PASSWORD: password,
      NODE_EXTRA_CA_CERTS: caFile,
    },
    mails,
    async mailTo(address, count = 1) {
      for (;;) {
        const found = (await mails()).filter(({ recipients }) => recipients.includes(address))[count - 1]
        if (found !== undefined) return found
        await sleep(LOOK_EVERY_MS)
      }
    },
    async commands() {
      const text = await readFile(join(folder, 'commands.log'), 'utf8').catch(() => '')
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as readonly [string, string]]))
    },
    async stop() {
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readMails(folder: string): Promise<KeptMail[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const mail = JSON.parse(await readFile(join(folder, name), 'utf8')) as Omit<KeptMail, 'parsed'>
      return { ...mail, parsed: await PostalMime.parse(mail.content) }
    }),
  )
}
