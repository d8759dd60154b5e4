import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { KiB, MiB, systemClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BodyMemory } from '../body-memory.ts'
import { DroppedBodies } from '../dropped-bodies.ts'
import { takeBodies, type BodyTakeover } from './body-takeover.ts'
import { RequestBody } from '../request-body.ts'
import { SocketBody } from './socket-body.ts'

const CONTENT = Buffer.from(Uint8Array.from({ length: MiB }, (_, at) => (at * 2_654_435_761) >>> 11))

/** Answers with what came, by which way it came. */
type Serve = (req: IncomingMessage, res: ServerResponse, body: RequestBody | SocketBody) => Promise<void>

let server: http.Server
let takeover: BodyTakeover
let serve: Serve
/** Everything the clients of one test opened. */
let clients: Socket[]

beforeEach(async () => {
  clients = []
  serve = echo
  const memory = new BodyMemory(32 * MiB)
  const dropped = new DroppedBodies(systemClock)
  const answer = (req: IncomingMessage, res: ServerResponse, body: RequestBody | SocketBody): void => {
    serve(req, res, body).catch(() => res.destroy())
  }
  server = http.createServer((req, res) => answer(req, res, new RequestBody(req, memory, dropped)))
  takeover = takeBodies(server, {
    dropped,
    memory,
    wants: ({ method, url }) => method === 'PUT' && url !== '/usual',
    serve: (req, res, body) => answer(req, res, body as SocketBody),
  })
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!takeover.upgrade(req, socket, head)) socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nother')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  takeover.closeIdle()
  if (server.listening) await new Promise((resolve) => server.close(resolve))
})

async function echo(_req: IncomingMessage, res: ServerResponse, body: RequestBody | SocketBody): Promise<void> {
  const got: Uint8Array[] = []
  for await (const chunk of body) got.push(Buffer.from(chunk))
  const isRight = Buffer.concat(got).equals(CONTENT.subarray(0, Buffer.concat(got).length))
  body.close()
  res.end(`${body instanceof SocketBody ? 'socket' : 'parser'} ${Buffer.concat(got).length} ${isRight}\n`)
}

function connected(): Socket {
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  clients.push(client)
  return client
}

/** Reads answers until this many of their bodies have come. */
async function answers(client: Socket, count: number): Promise<string[]> {
  let text = ''
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    const lines = text.match(/^(?:socket|parser) .*$/gm) ?? []
    if (lines.length >= count) return lines
  }
  throw new Error(`ended after ${text}`)
}

function put(length: number, { path = '/', headers = '' } = {}): string {
  return `PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n${headers}\r\n`
}

describe('big bodies', () => {
  it('come from the connection itself; small ones, chunked ones and those of other routes by the parser', async () => {
    const client = connected()
    client.write(put(MiB))
    client.write(CONTENT)
    expect(await answers(client, 1)).toEqual([`socket ${MiB} true`])
    client.write(put(KiB))
    client.write(CONTENT.subarray(0, KiB))
    expect(await answers(client, 1)).toEqual([`parser ${KiB} true`])
    client.write(put(MiB, { path: '/usual' }))
    client.write(CONTENT)
    expect(await answers(client, 1)).toEqual([`parser ${MiB} true`])
    client.write('PUT / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    client.write(`${(512 * KiB).toString(16)}\r\n`)
    client.write(CONTENT.subarray(0, 512 * KiB))
    client.write('\r\n0\r\n\r\n')
    expect(await answers(client, 1)).toEqual([`parser ${512 * KiB} true`])
  })

  it('are answered with the same headers by either way', async () => {
    const heads: string[] = []
    for (const path of ['/', '/usual']) {
      const client = connected()
      client.write(put(MiB, { path }))
      client.write(CONTENT)
      const [answer] = (await once(client, 'data')) as [Buffer]
      const [head = ''] = answer.toString().split('\r\n\r\n')
      heads.push(
        head
          .replace(/^Date: .*$/m, '')
          .toLowerCase()
          .split('\r\n')
          .toSorted()
          .join('\n'),
      )
    }
    expect(heads[0]).toMatch(/keep-alive: timeout=\d+/)
    expect(heads[0]).toBe(heads[1])
  })

  it('follow each other on one connection, with other requests in between', async () => {
    const client = connected()
    for (const length of [MiB, 300 * KiB, 999_999]) {
      client.write(put(length))
      client.write(CONTENT.subarray(0, length))
      expect(await answers(client, 1)).toEqual([`socket ${length} true`])
      client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      expect(await answers(client, 1)).toEqual(['parser 0 true'])
    }
    expect(server.listenerCount('connection')).toBe(2)
  })

  it('leave nothing behind at a connection that is used a hundred times', async () => {
    const client = connected()
    const [served] = (await once(server, 'connection')) as [Socket]
    const listeners = (): number => served.eventNames().reduce((sum, name) => sum + served.listenerCount(name), 0)
    const counts: number[] = []
    for (let turn = 0; turn < 100; turn++) {
      client.write(Buffer.concat([Buffer.from(put(256 * KiB)), CONTENT.subarray(0, 256 * KiB)]))
      expect(await answers(client, 1)).toEqual([`socket ${256 * KiB} true`])
      counts.push(listeners())
    }
    expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual((counts[1] ?? 0) + 1)
  })

  it('may be sent before the answer to the former request has come', async () => {
    const client = connected()
    const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
    client.write(
      Buffer.concat([Buffer.from(put(MiB)), CONTENT, Buffer.from(get + put(MiB)), CONTENT, Buffer.from(get)]),
    )
    const got = await answers(client, 4)
    expect(got.map((line) => line.replace(/^\w+ /, ''))).toEqual([`${MiB} true`, '0 true', `${MiB} true`, '0 true'])
    expect(got[0]).toMatch(/^socket/)
  })

  it('are asked for where the client waits for that', async () => {
    const client = connected()
    client.write(put(MiB, { headers: 'expect: 100-continue\r\n' }))
    const [first] = (await once(client, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 100 Continue/)
    client.write(CONTENT)
    expect(await answers(client, 1)).toEqual([`socket ${MiB} true`])
  })

  it('that are refused unread do not hide the answer, and the connection serves the next request', async () => {
    serve = (_req, res, body) => {
      res.statusCode = 403
      res.end('parser refused\n')
      body.close()
      return Promise.resolve()
    }
    const client = connected()
    client.write(put(MiB))
    expect(await answers(client, 1)).toEqual(['parser refused'])
    client.write(CONTENT)
    serve = echo
    client.write(put(MiB))
    client.write(CONTENT)
    expect(await answers(client, 1)).toEqual([`socket ${MiB} true`])
  })

  it('end with the connection where the client asks for that', async () => {
    const client = connected()
    client.write(put(MiB, { headers: 'connection: close\r\n' }))
    client.write(CONTENT)
    expect(await answers(client, 1)).toEqual([`socket ${MiB} true`])
    client.resume()
    await once(client, 'close')
  })

  it('that are cut fail, and the caller is known to have gone', async () => {
    const gone = Promise.withResolvers<[unknown, boolean]>()
    serve = async (_req, res, body) => {
      const closed = once(res, 'close')
      const failure = await Array.fromAsync(body).catch((thrown: unknown) => thrown)
      await closed
      gone.resolve([failure, res.writableFinished])
    }
    const client = connected()
    client.write(put(MiB))
    client.write(CONTENT.subarray(0, 400_000), () => client.resetAndDestroy())
    const [failure, wasAnswered] = await gone.promise
    expect(failure).toMatchObject({ message: 'the request was cut' })
    expect(wasAnswered).toBe(false)
  })

  it('leave the way free for another protocol on the same connection', async () => {
    const client = connected()
    client.write(put(MiB))
    client.write(CONTENT)
    expect(await answers(client, 1)).toEqual([`socket ${MiB} true`])
    client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    const [switched] = (await once(client, 'data')) as [Buffer]
    expect(switched.toString()).toMatch(/101.*other$/s)
  })

  it('keep no connection open that waits for another request while the server stops', async () => {
    const client = connected()
    client.write(put(MiB))
    client.write(CONTENT)
    await answers(client, 1)
    const closed = new Promise((resolve) => server.close(resolve))
    takeover.closeIdle()
    client.resume()
    await Promise.all([closed, once(client, 'close')])
  })

  it('end a connection on which nothing follows', async () => {
    server.keepAliveTimeout = 50
    const client = connected()
    client.write(put(MiB))
    client.write(CONTENT)
    await answers(client, 1)
    client.resume()
    await once(client, 'close')
  })
})
