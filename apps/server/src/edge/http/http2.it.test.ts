import fs from 'node:fs'
import http2, {
  constants,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { once, type EventEmitter } from 'node:events'
import tls, { type TLSSocket } from 'node:tls'
import { MiB } from '@godwit/base'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const ENVIRONMENT = { GODWIT_TLS_PORT: '0', GODWIT_TLS_SELF_SIGNED: 'on' }
const CONTENT = Buffer.from(Uint8Array.from({ length: 3 * MiB + 17 }, (_, at) => (at * 2_654_435_761) >>> 13))
/** More than floods may make a server hold: each sends far more. */
const HELD_BYTES = 96 * MiB

type Answered = IncomingHttpHeaders & IncomingHttpStatusHeader

interface Told {
  readonly headers: Answered
  readonly body: Buffer
}

describe('HTTP/2', () => {
  let site: Site
  let token = ''
  const sessions: ClientHttp2Session[] = []
  beforeAll(async () => {
    site = await openSite({ env: ENVIRONMENT })
    token = (await site.signIn('admin')).token
  })
  afterEach(() => {
    for (const session of sessions.splice(0)) session.destroy()
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  function connect(): ClientHttp2Session {
    const session = http2.connect(secureAddress(site.godwit), { rejectUnauthorized: false })
    session.on('error', () => undefined)
    sessions.push(session)
    return session
  }
  async function send(
    session: ClientHttp2Session,
    headers: OutgoingHttpHeaders,
    body?: Buffer | string,
  ): Promise<Told> {
    const stream = session.request({ authorization: `Bearer ${token}`, ...headers }, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    const [answer] = (await once(stream, 'response')) as [Answered]
    return { headers: answer, body: Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)) }
  }
  const json = async (session: ClientHttp2Session, path: string, value: object) => {
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/json' }
    const { body } = await send(session, headers, JSON.stringify(value))
    return JSON.parse(body.toString()) as { readonly code: number; readonly data: { readonly uploadId: string } }
  }
  const isServing = async (): Promise<boolean> =>
    (await send(connect(), { ':path': '/healthz' })).headers[':status'] === 200

  it('carries uploads in parts and downloads, byte for byte, many at a time on one connection', async () => {
    const session = connect()
    const wanted = { folder: '/', filename: 'a.bin', size: CONTENT.length, conflict: 'replace' }
    const { uploadId } = (await json(session, '/api/uploads', wanted)).data
    const part = { ':method': 'PUT', ':path': `/api/uploads/${uploadId}/parts/0`, 'content-length': CONTENT.length }
    expect((await send(session, part, CONTENT)).headers[':status']).toBe(200)
    expect((await json(session, `/api/uploads/${uploadId}/complete`, {})).code).toBe(200)
    const fetched = () => send(session, { ':path': '/api/files/content?path=%2Fa.bin' })
    await expect.poll(async () => (await fetched()).headers[':status']).toBe(200)
    const all = await Promise.all(Array.from({ length: 8 }, fetched))
    for (const { body } of all) expect(body.equals(CONTENT)).toBe(true)
  })

  it('asks who calls, and from which page, as ever', async () => {
    const session = connect()
    const refused = await send(session, { ':path': '/api/admin/certificates', authorization: 'Bearer nobody' })
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: 1009 })
    const { host } = new URL(secureAddress(site.godwit))
    const from = async (origin: string) => {
      const path = '/api/admin/certificates/acme/order'
      const headers = { ':method': 'POST', ':path': path, origin, 'sec-fetch-site': 'same-origin' }
      return (JSON.parse((await send(session, headers)).body.toString()) as { readonly code: number }).code
    }
    expect(await from(`https://${host}`)).toBe(6160)
    expect(await from('https://evil.example.org')).toBe(5005)
  })

  it('has a bounded number of requests and of headers', async () => {
    const session = connect()
    await once(session, 'remoteSettings')
    expect(session.remoteSettings).toMatchObject({ maxConcurrentStreams: 32, maxHeaderListSize: 16_384 })
    const waves = await Promise.all(Array.from({ length: 100 }, () => send(session, { ':path': '/healthz' })))
    expect(new Set(waves.map(({ headers }) => headers[':status']))).toEqual(new Set([200]))
    const long = await send(connect(), { ':path': '/healthz', 'x-long': 'x'.repeat(20_000) })
    expect([long.headers[':status'], JSON.parse(long.body.toString())]).toMatchObject([431, { code: 5013 }])
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, 'x']))
    await expect(send(connect(), { ':path': '/healthz', ...many })).rejects.toThrow('NGHTTP2_ENHANCE_YOUR_CALM')
    expect(await isServing()).toBe(true)
  })

  it('refuses a body that nobody reads without holding it, and the connection goes on', async () => {
    const session = connect()
    const headers = {
      ':method': 'PUT',
      ':path': '/api/uploads/none/parts/0',
      'content-length': 64 * MiB,
      authorization: 'x',
    }
    const stream = session.request(headers)
    stream.on('error', () => undefined)
    stream.write(Buffer.alloc(8 * MiB))
    const [answer] = (await once(stream, 'response')) as [Answered]
    expect(answer[':status']).not.toBe(200)
    stream.resume()
    await closed(stream)
    expect((await send(session, { ':path': '/healthz' })).headers[':status']).toBe(200)
  })

  it('ends a connection that takes requests back by the hundred (CVE-2023-44487)', async () => {
    let before = 0
    for (let turn = 0; turn < 6; turn++) {
      const session = connect()
      await once(session, 'remoteSettings')
      const ended = closed(session)
      const flood = setInterval(() => {
        for (let at = 0; at < 200 && !session.destroyed; at++) {
          const stream = session.request({
            ':path': '/api/files/content?path=%2Fa.bin',
            authorization: `Bearer ${token}`,
          })
          stream.on('error', () => undefined)
          stream.close(constants.NGHTTP2_CANCEL)
        }
      }, 1)
      await ended.finally(() => clearInterval(flood))
      // The first ones grow the heap to what any busy minute needs; the others must not.
      if (turn === 2) before = memoryOf(site.godwit)
    }
    expect(await isServing()).toBe(true)
    expect(memoryOf(site.godwit) - before).toBeLessThan(HELD_BYTES)
  })

  it('ends a connection whose headers never end (CVE-2024-27983)', async () => {
    const before = memoryOf(site.godwit)
    const socket = await openRaw(site.godwit)
    const ended = closed(socket)
    socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0, Buffer.alloc(0))]))
    // One header, not indexed: as long as may be.
    const block = Buffer.concat([Buffer.from([0, 3]), Buffer.from('x-a'), Buffer.from([100]), Buffer.alloc(100, 0x61)])
    socket.write(frame(TYPE.headers, 0, 1, block))
    let frames = 0
    const pour = (): void => {
      while (!socket.destroyed && frames < 200_000) {
        frames++
        if (!socket.write(frame(TYPE.continuation, 0, 1, block))) break
      }
    }
    socket.on('drain', pour)
    pour()
    await ended
    expect(frames).toBeLessThan(200_000)
    expect(await isServing()).toBe(true)
    expect(memoryOf(site.godwit) - before).toBeLessThan(HELD_BYTES)
  })

  it('is left out where the operator says so, and HTTP/1.1 is always there', async () => {
    const plain = await launchGodwit({ env: { ...ENVIRONMENT, GODWIT_TLS_HTTP2: 'off' } })
    try {
      expect(await agreed(plain, ['h2', 'http/1.1'])).toBe('http/1.1')
      expect(await agreed(site.godwit, ['h2', 'http/1.1'])).toBe('h2')
      expect(await agreed(site.godwit, ['http/1.1'])).toBe('http/1.1')
    } finally {
      await plain.stop()
    }
  })

  it('lets requests end and connections go when the server stops', async () => {
    const session = connect()
    expect((await send(session, { ':path': '/healthz' })).headers[':status']).toBe(200)
    const [{ code }] = await Promise.all([site.godwit.end('SIGTERM'), closed(session)])
    expect(code).toBe(0)
  })
})

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const TYPE = { headers: 1, settings: 4, continuation: 9 } as const

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function secureAddress(godwit: Godwit): string {
  return /https:\/\/\S+/.exec(godwit.output())?.[0] ?? ''
}

async function openRaw(godwit: Godwit, ALPNProtocols: string[] = ['h2']): Promise<TLSSocket> {
  const port = Number(new URL(secureAddress(godwit)).port)
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  socket.resume()
  return socket
}

async function agreed(godwit: Godwit, protocols: string[]): Promise<string | false | null> {
  const socket = await openRaw(godwit, protocols)
  socket.destroy()
  return socket.alpnProtocol
}

/** Also where it ended with a fault. */
function closed(what: EventEmitter): Promise<void> {
  return new Promise((resolve) => what.once('close', () => resolve()))
}

/** What the process holds of the machine's memory. */
function memoryOf({ pid }: Godwit): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}
