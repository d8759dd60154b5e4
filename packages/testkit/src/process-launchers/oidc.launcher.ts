import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { launch, run } from './program.ts'

/** An identity provider of the test's own: anybody of `people` signs in there with any password. */
export interface Oidc {
  readonly issuer: string
  /** Authority of its certificate, in PEM. It is for `localhost` alone. */
  readonly ca: string
  /** Does what a browser does at an address of the provider. @returns the query string that it leads back with */
  signIn(url: string, login: string): Promise<string>
  stop(): Promise<void>
}

export interface OidcFacts {
  readonly clients: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly people: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const SCRIPT = join(import.meta.dirname, 'oidc-server.ts')
const STEPS_MAX = 12

export async function launchOidc(facts: OidcFacts): Promise<Oidc> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-oidc-'))
  const [key, caFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const certificate = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', caFile, '-days', '2']
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  await run(['openssl', 'req', '-x509', '-subj', '/CN=localhost', ...certificate, ...names])
  const port = await freePort()
  const server = await launch([process.execPath, SCRIPT, String(port), caFile, key, JSON.stringify(facts)], {
    isReady: (output) => output.includes('ready'),
  })
  const ca = await readFile(caFile, 'utf8')
  const issuer = `https://localhost:${port}`
  return {
    ...{ issuer, ca },
    signIn: (url, login) => walk({ issuer, ca }, url, login),
    async stop() {
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function walk({ issuer, ca }: Pick<Oidc, 'issuer' | 'ca'>, url: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let at = new URL(url)
  let form: string | undefined
  for (let step = 0; step < STEPS_MAX; step++) {
    if (at.origin !== issuer) return at.search
    const { status, location } = await visit(at, { ca, cookies, form })
    form = status === 200 ? new URLSearchParams({ prompt: 'login', login, password: 'any' }).toString() : undefined
    if (location !== undefined) at = new URL(location, at)
  }
  throw new Error(`the provider does not lead back: ${at.href}`)
}

function visit(
  at: URL,
  {
    ca,
    cookies,
    form,
  }: { readonly ca: string; readonly cookies: Map<string, string>; readonly form: string | undefined },
): Promise<{ readonly status: number; readonly location: string | undefined }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) }
  const method = form === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const asked = request(at, { ca, method, headers, agent: false }, (answer) => {
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';')
        const end = pair.indexOf('=')
        cookies.set(pair.slice(0, end), pair.slice(end + 1))
      }
      answer.resume()
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }))
    })
    asked.once('error', reject)
    asked.end(form)
  })
}
