import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encodePassword } from '@godwit/contract'
import { freePort, launch, launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../steps.ts'

const MIB = 1024 ** 2
const NAME = 'files.example.org'
/** Of another address than the proxy speaks from. */
const CALLER = '127.0.0.7'

interface Proxy {
  readonly name: string
  readonly language: string
  /** What the page names, and what it is here. */
  readonly here: (place: Place) => ReadonlyArray<readonly [string, string]>
  readonly whole?: (recipe: string, place: Place) => string
  readonly argv: (config: string, place: Place) => readonly [string, ...string[]]
}

interface Place {
  readonly folder: string
  readonly port: number
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    language: 'nginx',
    here: ({ folder, port }) => [
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/files.example.org.pem', join(folder, 'certificate.pem')],
      ['/etc/ssl/files.example.org.key', join(folder, 'key.pem')],
    ],
    whole: (recipe, { folder }) => {
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      return `daemon off; pid ${folder}/pid; events {} http { access_log off; ${places.join(' ')}\n${recipe}\n}`
    },
    argv: (config, { folder }) => ['nginx', '-p', folder, '-c', config, '-e', join(folder, 'error.log')],
  },
  {
    name: 'Caddy',
    language: 'caddy',
    here: ({ folder, port }) => [
      // Without a name that the world knows, the certificate comes from us.
      [`${NAME} {`, `https://${NAME}:${port} {\n    tls ${folder}/certificate.pem ${folder}/key.pem`],
    ],
    whole: (recipe, { folder }) =>
      `{\n    admin off\n    auto_https disable_redirects\n    storage file_system ${folder}/storage\n}\n${recipe}`,
    argv: (config) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config],
  },
  {
    name: 'HAProxy',
    language: 'haproxy',
    here: ({ folder, port }) => [
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/files.example.org.pem', join(folder, 'both.pem')],
    ],
    argv: (config) => ['haproxy', '-db', '-f', config],
  },
]

describe('the recipes for proxies', () => {
  let folder: string
  let godwit: Godwit
  let certificate: Buffer
  let token: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'godwit-proxies-'))
    const [key, pem] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = [
      '-subj',
      `/CN=${NAME}`,
      '-addext',
      `subjectAltName=DNS:${NAME}`,
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      pem,
    ]
    await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
    certificate = await readFile(pem)
    await writeFile(join(folder, 'both.pem'), Buffer.concat([certificate, await readFile(key)]))
    const [line = ''] = /^GODWIT_TRUSTED_PROXIES=.*$/m.exec(await page()) ?? []
    godwit = await launchGodwit({ env: { GODWIT_TRUSTED_PROXIES: line.split('=')[1] ?? '' } })
    const { account, password } = godwit.administrator
    const answer = await fetch(`${godwit.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, password: encodePassword(password) }),
    })
    token = ((await answer.json()) as { readonly data: { readonly token: string } }).data.token
  })
  afterAll(async () => {
    await godwit.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(PROXIES)('let large bodies, streams, sockets and addresses pass: $name', async (proxy) => {
    const place = { folder, port: await freePort() }
    const config = join(folder, `${proxy.language}.conf`)
    await writeFile(config, await configured(proxy, place, new URL(godwit.url).host))
    const at = { host: '127.0.0.1', port: place.port, localAddress: CALLER, servername: NAME, ca: certificate }
    const headers = { host: `${NAME}:${place.port}`, authorization: `Bearer ${token}` }
    const isReady = () =>
      request({ ...at, headers, path: '/healthz' }).then(
        () => true,
        () => false,
      )
    const running = await launch([...proxy.argv(config, place)], { isReady })
    try {
      const body = Buffer.alloc(64 * MIB, 'frame')
      const binary = { ...headers, 'content-type': 'application/octet-stream' }
      const post = { ...at, method: 'POST', headers: binary, path: '/api/admin/server/probe' }
      const probe = await request(post, body.subarray(0, 8 * MIB))
      expect(JSON.parse(probe.text)).toMatchObject({
        data: { bytes: 8 * MIB, address: CALLER, isSecure: true, isIgnored: false },
      })

      const name = `${proxy.language}.bin`
      const tus = { ...headers, 'tus-resumable': '1.0.0' }
      const metadata = `filename ${Buffer.from(name).toString('base64')},folder ${Buffer.from('/').toString('base64')}`
      const announced = { ...tus, 'upload-length': String(body.length), 'upload-metadata': metadata }
      const begun = await request({ ...at, method: 'POST', headers: announced, path: '/files/uploads' })
      const stream = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      const upload = new URL(begun.location ?? '', godwit.url).pathname
      expect((await request({ ...at, method: 'PATCH', headers: stream, path: upload }, body)).status).toBe(204)
      const range = { ...headers, range: `bytes=${32 * MIB}-${32 * MIB + 4}` }
      const part = await request({ ...at, headers: range, path: `/api/files/content?path=/${name}` })
      expect([part.status, part.text]).toEqual([206, body.subarray(32 * MIB, 32 * MIB + 5).toString()])

      // The second of two bytes follows the first a moment later: a proxy that collects would give both at once.
      const paced = await request({ ...at, headers, path: '/api/admin/server/pace' })
      expect(paced.chunks).toBe(2)

      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
      const key = { 'sec-websocket-key': Buffer.alloc(16, 'key').toString('base64') }
      const origin = `https://${NAME}:${place.port}`
      const asked = https.request({ ...at, headers: { ...headers, ...upgrade, ...key, origin }, path: '/ws/files' })
      asked.end()
      const [answer, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket]
      expect(answer.statusCode).toBe(101)
      socket.destroy()
    } finally {
      await running.end('SIGTERM')
    }
  })
})

async function page(): Promise<string> {
  return readFile(join(ROOT, 'docs/proxy.md'), 'utf8')
}

/** The recipe of the page, with nothing changed but names and places. */
async function configured({ language, here, whole }: Proxy, place: Place, server: string): Promise<string> {
  const text = await page()
  const fence = '```'
  const begin = text.indexOf(`${fence}${language}\n`) + fence.length + language.length + 1
  let recipe = text.slice(begin, text.indexOf(fence, begin))
  for (const [from, to] of [...here(place), ['127.0.0.1:8090', server] as const]) {
    expect(recipe).toContain(from)
    recipe = recipe.replaceAll(from, to)
  }
  return whole?.(recipe, place) ?? recipe
}

interface Answer {
  readonly status: number | undefined
  readonly location: string | undefined
  readonly text: string
  readonly chunks: number
}

async function request(options: https.RequestOptions, body?: Buffer): Promise<Answer> {
  const asked = https.request(options)
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  const { statusCode: status, headers } = answer
  return { status, location: headers.location, text: Buffer.concat(chunks).toString(), chunks: chunks.length }
}
