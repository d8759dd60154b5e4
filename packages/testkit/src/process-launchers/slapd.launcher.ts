import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { launch, run, type Program } from './program.ts'

/** A directory server of the test's own, with one administrator and what the test puts into it. */
export interface Slapd {
  /** Plain connections, which may change to TLS. */
  readonly port: number
  /** TLS from the start. */
  readonly tlsPort: number
  readonly base: string
  readonly administrator: string
  readonly password: string
  /** Authority of its certificate, in PEM. It is for `localhost` alone. */
  readonly ca: string
  /** Applies LDIF: entries to add, or changes with `changetype`. */
  apply(ldif: string): Promise<void>
  /** Ends the server and keeps its data. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

const SCHEMAS = ['core', 'cosine', 'inetorgperson', 'nis'] as const
const BASE = 'dc=example,dc=org'
const ADMINISTRATOR = `cn=admin,${BASE}`
const PASSWORD = 'Directory-password-7'

/** It takes a bind with a name and no password for a success that proves nothing, as some servers do (RFC 4513 §5.1.2). */
export async function launchSlapd(ldif = ''): Promise<Slapd> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-slapd-'))
  const [key, caFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const certificate = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', caFile, '-days', '2']
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  await run(['openssl', 'req', '-x509', '-subj', '/CN=localhost', ...certificate, ...names])
  const [port, tlsPort] = [await freePort(), await freePort()]
  const configuration = join(folder, 'slapd.conf')
  await writeFile(configuration, configurationIn(folder, { key, caFile }))
  await mkdir(join(folder, 'data'))
  const load = async (text: string): Promise<void> => {
    const file = join(folder, 'load.ldif')
    await writeFile(file, text)
    await run(['slapadd', '-q', '-f', configuration, '-l', file])
  }
  await load(`dn: ${BASE}\nobjectClass: domain\ndc: example\n\n${ldif}`)
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`
  const start = (): Promise<Program> =>
    launch(['slapd', '-f', configuration, '-h', urls, '-d', 'none'], { isReady: () => answers(port) })
  let server = await start()
  return {
    ...{ port, tlsPort, base: BASE, administrator: ADMINISTRATOR, password: PASSWORD },
    ca: await readFile(caFile, 'utf8'),
    async apply(text) {
      const file = join(folder, 'change.ldif')
      await writeFile(file, text)
      const who = ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', ADMINISTRATOR, '-w', PASSWORD]
      await run(['ldapmodify', '-a', ...who, '-f', file])
    },
    async down() {
      await server.end('SIGTERM')
    },
    async up() {
      server = await start()
    },
    async stop() {
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configurationIn(folder: string, { key, caFile }: { readonly key: string; readonly caFile: string }): string {
  return [
    ...SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`),
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'allow bind_anon_dn bind_v2',
    'sizelimit size.soft=500 size.hard=1000 size.pr=1000 size.prtotal=unlimited',
    `TLSCertificateFile ${caFile}`,
    `TLSCertificateKeyFile ${key}`,
    'database mdb',
    'maxsize 1073741824',
    `suffix "${BASE}"`,
    `rootdn "${ADMINISTRATOR}"`,
    `rootpw ${PASSWORD}`,
    `directory ${join(folder, 'data')}`,
    'index objectClass,uid,entryUUID eq',
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by * read',
    '',
  ].join('\n')
}

async function answers(port: number): Promise<boolean> {
  const asked = run(['ldapwhoami', '-x', '-H', `ldap://127.0.0.1:${port}`])
  return asked.then(
    () => true,
    () => false,
  )
}
