import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { launch, run } from './program.ts'
import type { SamlFault } from './saml-messages.ts'

/** A SAML identity provider of the test's own: anybody signs in there by a name. */
export interface Saml {
  /** Of its metadata, and its name. */
  readonly metadataUrl: string
  /** Authority of its certificate, in PEM. It is for `localhost` alone. */
  readonly ca: string
  metadata(): Promise<string>
  /** Registers the site by its own metadata. */
  trust(metadata: string): Promise<void>
  /** @returns the form that it has the browser post */
  signIn(url: string, login: string, fault?: SamlFault): Promise<URLSearchParams>
  /** @returns the address that a browser is sent to when somebody signs out there; with `form` the message of a form */
  signOut(login: string, as?: 'form'): Promise<string>
  /** Does what a browser does at an address of it. @returns where it leads */
  visit(url: string): Promise<string | undefined>
  stop(): Promise<void>
}

export interface SamlFacts {
  /** Attributes of each person. */
  readonly people: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

const SCRIPT = join(import.meta.dirname, 'saml-server.ts')

export async function launchSaml(facts: SamlFacts): Promise<Saml> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-saml-'))
  const [key, caFile, other] = [join(folder, 'key.pem'), join(folder, 'certificate.pem'), join(folder, 'other.pem')]
  const certificate = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', caFile, '-days', '2']
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  await run(['openssl', 'req', '-x509', '-subj', '/CN=localhost', ...certificate, ...names])
  await run(['openssl', 'genrsa', '-out', other, '2048'])
  const port = await freePort()
  const command = [process.execPath, SCRIPT, String(port), caFile, key, other, JSON.stringify(facts)] as const
  const server = await launch(command, { isReady: (output) => output.includes('ready') })
  const ca = await readFile(caFile, 'utf8')
  const origin = `https://localhost:${port}`
  const ask = (url: string, body?: string) => asked(url, ca, body)
  return {
    ...{ metadataUrl: `${origin}/metadata`, ca },
    metadata: async () => (await ask(`${origin}/metadata`)).text,
    async trust(metadata) {
      await ask(`${origin}/trust`, metadata)
    },
    async signIn(url, login, fault = '') {
      const there = new URL(url)
      const { text } = await ask(`${url}&${new URLSearchParams({ login, fault }).toString()}`)
      const fields = [...text.matchAll(/name="(SAMLResponse|RelayState)" value="([^"]*)"/g)]
      if (fields.length !== 2) throw new Error(`${there.pathname} answers ${text}`)
      return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
    },
    async signOut(login, as) {
      const query = new URLSearchParams({ login, ...(as === undefined ? {} : { form: '' }) })
      return (await ask(`${origin}/sign-out?${query.toString()}`)).text
    },
    visit: async (url) => (await ask(url)).location,
    async stop() {
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function asked(
  url: string,
  ca: string,
  body: string | undefined,
): Promise<{ readonly text: string; readonly location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, method: body === undefined ? 'GET' : 'POST', agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('end', () =>
        resolve({ text: Buffer.concat(chunks).toString('utf8'), location: answer.headers.location }),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
