import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import tls from 'node:tls'
import { MiB } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openSite, type Site } from '../../security/testing/sites.ts'

interface Told {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const CONTENT = Buffer.from(Uint8Array.from({ length: 3 * MiB + 17 }, (_, at) => (at * 2_654_435_761) >>> 13))

describe('HTTPS of the server itself', () => {
  let site: Site
  let token = ''
  let secure = ''
  beforeAll(async () => {
    const env = {
      GODWIT_TLS_PORT: '0',
      GODWIT_TLS_SELF_SIGNED: 'on',
      GODWIT_TLS_REDIRECT: 'on',
      GODWIT_TLS_HSTS_DAYS: '1',
    }
    site = await openSite({ env: { ...env, GODWIT_TRUSTED_PROXIES: '127.0.0.9' } })
    secure = /https:\/\/\S+/.exec(site.godwit.output())?.[0] ?? ''
    token = (await signIn()).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  function send(url: string, options: https.RequestOptions = {}, body?: Buffer | string): Promise<Told> {
    return new Promise((resolve, reject) => {
      const begin = url.startsWith('https:') ? https.request : http.request
      const request = begin(url, { rejectUnauthorized: false, ...options }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        )
      })
      request.on('error', reject).end(body)
    })
  }
  async function api(
    method: string,
    path: string,
    json?: object,
  ): Promise<{ readonly code: number; readonly data: never }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { body } = await send(`${secure}${path}`, { method, headers }, json && JSON.stringify(json))
    return JSON.parse(body.toString()) as never
  }
  async function signIn(): Promise<{ readonly token: string }> {
    const { account, password } = site.godwit.administrator
    const json = { account, password: Buffer.from(password).toString('base64') }
    return (await api('POST', '/api/user/login', json)).data
  }
  const shown = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = tls.connect(
        { port: Number(new URL(secure).port), host: '127.0.0.1', rejectUnauthorized: false },
        () => {
          resolve(socket.getPeerCertificate().fingerprint256)
          socket.destroy()
        },
      )
      socket.on('error', reject)
    })

  it('carries uploads in parts and downloads, byte for byte', async () => {
    const { data } = await api('POST', '/api/uploads', {
      folder: '/',
      filename: 'a.bin',
      size: CONTENT.length,
      conflict: 'replace',
    })
    const { uploadId } = data as { readonly uploadId: string }
    const headers = { authorization: `Bearer ${token}`, 'content-length': CONTENT.length }
    const part = await send(`${secure}/api/uploads/${uploadId}/parts/0`, { method: 'PUT', headers }, CONTENT)
    expect(part.status).toBe(200)
    expect((await api('POST', `/api/uploads/${uploadId}/complete`, {})).code).toBe(200)
    const fetched = () =>
      send(`${secure}/api/files/content?path=%2Fa.bin`, { headers: { authorization: `Bearer ${token}` } })
    await expect.poll(async () => (await fetched()).status).toBe(200)
    expect((await fetched()).body.equals(CONTENT)).toBe(true)
  })

  it('carries tus and sockets', async () => {
    const bearer = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
    const name = Buffer.from('b.bin').toString('base64')
    const begun = { ...bearer, 'upload-length': CONTENT.length, 'upload-metadata': `filename ${name}` }
    const created = await send(`${secure}/files/uploads`, { method: 'POST', headers: begun })
    expect(created.status).toBe(201)
    const place = new URL(created.headers.location ?? '', secure).pathname
    const chunk = {
      ...bearer,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
      'content-length': CONTENT.length,
    }
    const patched = await send(`${secure}${place}`, { method: 'PATCH', headers: chunk }, CONTENT)
    expect([patched.status, patched.headers['upload-offset']]).toEqual([204, String(CONTENT.length)])
    const socket = new WebSocket(`${secure.replace('https', 'wss')}/ws/files`, { rejectUnauthorized: false })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.terminate()
  })

  it('sends requests without TLS there, but for probes and the answers to an authority', async () => {
    const moved = await send(`${site.url}/signin?x=1`)
    expect([moved.status, moved.headers.location]).toEqual([308, `${secure}/signin?x=1`])
    expect((await send(`${site.url}/healthz`)).status).toBe(200)
    expect((await send(`${site.url}/.well-known/acme-challenge/x`)).status).not.toBe(308)
    expect((await send(`${site.url}/signin`, { localAddress: '127.0.0.9' })).status).not.toBe(308)
    const body = await send(
      `${site.url}/api/uploads/x/parts/0`,
      { method: 'PUT', headers: { 'content-length': CONTENT.length } },
      CONTENT,
    )
    expect(body.status).toBe(308)
  })

  it('does not ask browsers to stay while nobody signed the certificate, and speaks no old TLS', async () => {
    expect((await send(`${secure}/healthz`)).headers['strict-transport-security']).toBeUndefined()
    // A client that would speak it, so that the refusal is the server's.
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
    await expect(send(`${secure}/healthz`, old)).rejects.toThrow('alert protocol version')
  })

  it('shows another certificate without a restart, and lets a connection that is open go on', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    expect((await send(`${secure}/healthz`, { agent })).status).toBe(200)
    const [kept] = Object.values(agent.freeSockets).flat()
    const before = await shown()
    expect(await site.cli('certificate self-signed --names files.example.org')).toBe(0)
    await expect.poll(shown, { timeout: 15_000 }).not.toBe(before)
    expect((await send(`${secure}/healthz`, { agent })).status).toBe(200)
    expect(Object.values(agent.freeSockets).flat()[0]).toBe(kept)
    agent.destroy()
  })

  it('refuses connections without a certificate, and serves plainly again', async () => {
    expect(await site.cli('certificate remove')).toBe(0)
    await expect
      .poll(
        () =>
          shown().then(
            () => 'shown',
            () => 'refused',
          ),
        { timeout: 15_000 },
      )
      .toBe('refused')
    expect((await send(`${site.url}/signin`)).status).not.toBe(308)
  })
})
