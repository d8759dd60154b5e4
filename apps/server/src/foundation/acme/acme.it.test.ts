import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import tls, { type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { MiB } from '@godwit/base'
import { acmeRoutes, adminCertificateSettingRoutes, certificateRoutes, type AcmeView } from '@godwit/contract'
import { launchGodwit, launchPebble, type Godwit, type Pebble } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { ask, type Answer } from '../../security/testing/wire.ts'

const NAMES = 'files.example.org, www.example.org'
const ENVIRONMENT = { GODWIT_TLS_PORT: '0', GODWIT_TLS_REDIRECT: 'on', GODWIT_OUTBOUND_ALLOW: '127.0.0.1' }
/** A look every five seconds, a key, and a conversation with the authority, on a busy machine. */
const ORDERED = { timeout: 60_000, interval: 200 }
/** Renewed a third of it before its end. */
const SHORT_LIFE_SECONDS = 24
/** More than buffers hold on the way. */
const LONG_BYTES = 64 * MiB

type Told = Pick<Answer, 'status' | 'text' | 'code' | 'data'>

describe('certificates by ACME, on two nodes', () => {
  const second = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-acme-'))
  let site: Site
  let other: Godwit
  let front: Front
  let pebble: Pebble
  let hasty: Pebble
  let token = ''
  const clean = new AsyncDisposableStack()

  beforeAll(async () => {
    const databaseUrl = await mariadbUrl()
    site = clean.use(await openSite({ databaseUrl, env: ENVIRONMENT }))
    // Every node opens the sealed secrets of the one database.
    fs.cpSync(path.join(site.data, 'keys'), path.join(second, 'keys'), { recursive: true })
    // As a disk that both have mounted.
    fs.symlinkSync(path.join(site.data, 'files'), path.join(second, 'files'))
    other = await launchGodwit({ data: second, env: { ...ENVIRONMENT, GODWIT_DATABASE_URL: databaseUrl } })
    clean.defer(async () => {
      await other.stop()
      fs.rmSync(second, { recursive: true })
    })
    front = await openFront([site.url, other.url])
    clean.defer(() => front.close())
    pebble = await launchPebble({ httpPort: front.port })
    clean.defer(() => pebble.stop())
    hasty = await launchPebble({ httpPort: front.port, validitySeconds: SHORT_LIFE_SECONDS })
    clean.defer(() => hasty.stop())
    token = (await site.signIn('admin')).token
    await site.upload(token, 'long.bin', Buffer.alloc(LONG_BYTES, 7))
  }, 180_000)
  afterAll(() => clean.disposeAsync())

  /** By TLS as soon as there is a certificate: requests without are redirected then. */
  async function api(method: string, below: string, json?: object): Promise<Told> {
    const path = `/api/admin/certificates${below}`
    const plain = await site.ask({ method, path, token, ...(json === undefined ? {} : { json }) })
    return plain.status === 308 ? askSecurely(site.godwit, { method, path, token, json }) : plain
  }
  const view = async (): Promise<AcmeView> => acmeRoutes.state.reply.parse((await api('GET', '/acme')).data)
  const current = async () => certificateRoutes.list.reply.parse((await api('GET', '')).data).current
  async function set(values: Readonly<Record<string, string | number>>): Promise<Told> {
    const { data } = await api('GET', '/settings')
    const now = adminCertificateSettingRoutes.list.reply.parse(data).settings
    const changes = Object.entries(values).map(([key, value]) => {
      return { key, value, from: now.find((setting) => setting.key === key)?.value }
    })
    return api('PATCH', '/settings', { changes })
  }
  const useAuthority = ({ directory, ca }: Pebble) => set({ 'acme.directory': directory, 'acme.authority': ca })
  const settled = async (after: number | null): Promise<AcmeView> => {
    await expect.poll(async () => (await view()).triedAt, ORDERED).not.toBe(after)
    return view()
  }
  const order = async (): Promise<AcmeView> => {
    // A node that read the settings a moment earlier may order once more by itself.
    await expect.poll(async () => (await view()).isOrdering, ORDERED).toBe(false)
    const { triedAt } = await view()
    expect((await api('POST', '/acme/order')).code).toBe(200)
    return settled(triedAt)
  }

  it('are ordered only with names, accepted terms and a directory by https', async () => {
    expect((await api('POST', '/acme/order')).code).toBe(6160)
    for (const [values, field, code = 400] of [
      [{ 'acme.switch': 1 }, 'acme.domains', 6161],
      [{ 'acme.switch': 1, 'acme.domains': NAMES }, 'acme.terms', 6162],
      [{ 'acme.domains': '*.example.org' }, 'acme.domains'],
      [{ 'acme.domains': '192.0.2.7' }, 'acme.domains'],
      [{ 'acme.directory': 'http://ca.example.org/dir' }, 'acme.directory'],
      [{ 'acme.authority': 'hello' }, 'acme.authority'],
    ] as const)
      expect(await set(values)).toMatchObject({ code, data: { field } })
    expect(await view()).toMatchObject({ isOn: false, triedAt: null, nextAt: null, failure: null })
    expect(await site.cli('certificate order')).not.toBe(0)
  })

  it('come by themselves once that is set, proven through either node although requests are redirected', async () => {
    await useAuthority(pebble)
    expect((await set({ 'acme.switch': 1, 'acme.domains': NAMES, 'acme.terms': 1 })).code).toBe(200)
    const { failure } = await settled(null)
    expect(failure).toBeNull()
    expect(await current()).toMatchObject({
      source: 'acme',
      names: ['files.example.org', 'www.example.org'],
      addedBy: '',
      bits: 2048,
    })
    const logged = await site.withDatabase(({ db }) =>
      db.selectFrom('operation_log').selectAll().where('operation', '=', 'certificate.set').execute(),
    )
    expect(logged).toMatchObject([{ actor: '', door: 'schedule', target: 'files.example.org, www.example.org' }])
    expect(JSON.parse(logged[0]?.state_after ?? '')).toMatchObject({ names: ['files.example.org', 'www.example.org'] })
    // The authority looks several times for each name.
    expect(new Set(front.asked.flat()).size).toBe(2)
    for (const answers of front.asked) {
      expect(answers[0]).toMatch(/^200 [\w-]{16,}\.[\w-]{43}$/)
      expect(answers[1]).toBe(answers[0])
    }
    // Nothing is answered any more afterwards, nor whatever else is asked for there.
    for (const asked of [front.lastPath, '/.well-known/acme-challenge/..%2f..%2fetc', '/.well-known/acme-challenge/x'])
      expect((await ask(other.url, { path: asked })).status).toBe(404)
    await expect.poll(() => shownBy(other), ORDERED).toBe((await current())?.fingerprint)
  })

  it('leave the key of the account sealed, and its own out of every answer and log', async () => {
    const rows = await site.withDatabase(({ db }) => db.selectFrom('acme_accounts').selectAll().execute())
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed_key).not.toContain('PRIVATE')
    for (const text of [site.godwit.output(), other.output(), (await api('GET', '/acme')).text])
      expect(text).not.toContain('PRIVATE KEY')
  })

  it('that an authority refuses to sign are reported in its own words, and change nothing', async () => {
    const before = await current()
    front.spoil = true
    const { failure } = await order().finally(() => (front.spoil = false))
    expect(failure).toMatchObject({
      reason: 'challenge',
      words: expect.stringMatching(/^(?:files|www)\.example\.org: .*key authorization/i) as unknown,
      count: 1,
    })
    expect(await current()).toEqual(before)
    expect(await site.cli('certificate orders')).toBe(0)
    expect(site.printed()).toContain('failed')
    expect(site.printed()).toMatch(/challenge: (?:files|www)\.example\.org/)
  })

  it('fail as calmly where the authority is away, not to be trusted, inside the house, or none', async () => {
    const before = await current()
    const silent = await openSilent()
    for (const [settings, reason] of [
      [{ 'acme.authority': '' }, 'unreachable'],
      [{ 'acme.directory': `https://localhost:${silent.port}/dir` }, 'unreachable'],
      [{ 'acme.directory': 'https://10.255.255.1/dir' }, 'not-allowed'],
      [{ 'acme.directory': pebble.directory.replace('/dir', '/'), 'acme.authority': pebble.ca }, 'answer'],
    ] as const) {
      expect((await set(settings)).code).toBe(200)
      expect((await order()).failure).toMatchObject({ reason })
    }
    silent.close()
    expect(await current()).toEqual(before)
    // A failure of other settings holds nothing up.
    expect((await view()).failure?.count).toBe(5)
  })

  it('are renewed by one node before they end, without a restart and without a dropped transfer', async () => {
    await useAuthority(hasty)
    const ordered = await order()
    expect(ordered.failure).toBeNull()
    const first = await current()
    if (first === null) throw new Error('nothing is in force')
    // A third of its life before its end.
    expect(Math.round((first.notAfter - (ordered.nextAt ?? 0)) / 1000)).toBe(SHORT_LIFE_SECONDS / 3)
    await expect.poll(() => shownBy(site.godwit), ORDERED).toBe(first.fingerprint)
    const transfer = await beginDownload(site.godwit, token)
    const renewing = async (): Promise<string | undefined> => {
      expect((await view()).failure).toBeNull()
      return (await current())?.fingerprint
    }
    await expect.poll(renewing, ORDERED).not.toBe(first.fingerprint)
    const renewed = await current()
    await set({ 'acme.switch': 0 })
    await expect.poll(() => shownBy(site.godwit), ORDERED).not.toBe(first.fingerprint)
    expect(renewed?.names).toEqual(first.names)
    expect(transfer.fingerprint).toBe(first.fingerprint)
    expect(await transfer.rest()).toBe(LONG_BYTES)
    const rows = await site.withDatabase(({ db }) =>
      db.selectFrom('certificates').select('id').where('source', '=', 'acme').execute(),
    )
    const told = [site.godwit.output(), other.output()].join('').match(/a certificate was ordered/g)
    expect(told).toHaveLength(rows.length)
  }, 180_000)
})

interface Front {
  readonly port: number
  /** What each node answered to the authority, for each of its questions. */
  readonly asked: string[][]
  readonly lastPath: string
  /** Makes every answer a wrong one. */
  spoil: boolean
  close(): Promise<void>
}

/** What stands before two nodes: it asks both, and passes the answer of the last one on. */
async function openFront(nodes: readonly string[]): Promise<Front> {
  const asked: string[][] = []
  const state = { spoil: false, lastPath: '' }
  const server = http.createServer((req, res) => {
    const asks = nodes.map((node) => ask(node, { path: req.url ?? '', headers: { host: req.headers.host ?? '' } }))
    void Promise.all(asks).then((answers) => {
      state.lastPath = req.url ?? ''
      if (!state.spoil) asked.push(answers.map(({ status, text }) => `${status} ${text}`))
      const last = answers.at(-1)
      res.writeHead(last?.status ?? 502, { 'content-type': 'text/plain' }).end(state.spoil ? 'spoiled' : last?.text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  })
}

/** A server that ends every connection at once. */
async function openSilent(): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = http.createServer().on('connection', (socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

function secureAddress(godwit: Godwit): URL {
  return new URL(/https:\/\/\S+/.exec(godwit.output())?.[0] ?? '')
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly json?: object | undefined
}

async function askSecurely(godwit: Godwit, { method, path: to, token, json }: Asked): Promise<Told> {
  const kind = json === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { authorization: `Bearer ${token}`, ...kind }
  const options = { method, headers, rejectUnauthorized: false, agent: false } as const
  const request = https.request(new URL(to, secureAddress(godwit)), options)
  request.end(json === undefined ? undefined : JSON.stringify(json))
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString()
  return { status: answer.statusCode ?? 0, text, ...(JSON.parse(text) as Pick<Answer, 'code' | 'data'>) }
}

function shownBy(godwit: Godwit): Promise<string> {
  return new Promise((resolve, reject) => {
    const port = Number(secureAddress(godwit).port)
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Begins to read a file and then waits, as a client on a slow line does. */
async function beginDownload(godwit: Godwit, token: string) {
  const url = new URL('/api/files/content?path=%2Flong.bin', secureAddress(godwit))
  const headers = { authorization: `Bearer ${token}` }
  const request = https.get(url, { rejectUnauthorized: false, headers, agent: false })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  expect(answer.statusCode).toBe(200)
  const fingerprint = (answer.socket as TLSSocket).getPeerCertificate().fingerprint256
  return {
    fingerprint,
    async rest(): Promise<number> {
      let bytes = 0
      for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length
      return bytes
    },
  }
}
