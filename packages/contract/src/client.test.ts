import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { routes } from './table.ts'
import { ApiError } from './wire/api-error.ts'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let server: Server
let baseUrl: string
let seen: Seen
let reply: (response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => {
    void record(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

async function record(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request
  seen = { method, url, headers, body: await text(request) }
  reply(response)
}

const answer = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const client = (token?: string) =>
  createClient({
    baseUrl,
    fetch: globalThis.fetch,
    language: () => 'zh-CN',
    timeoutMs: 5_000,
    ...(token === undefined ? {} : { token: () => token }),
  })

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  )

describe('client', () => {
  it('sends JSON with token and language and returns the data', async () => {
    reply = answer(200, { code: 200, data: { token: 't', refresh_token: 'r' } })
    const data = await client('secret').call(routes.auth.login, { body: { account: 'ada', password: 'eA==' } })
    expect(data.token).toBe('t')
    expect(seen).toMatchObject({ method: 'POST', url: '/api/user/login', body: '{"account":"ada","password":"eA=="}' })
    expect(seen.headers).toMatchObject({
      authorization: 'Bearer secret',
      'accept-language': 'zh-CN',
      'content-type': 'application/json',
    })
  })

  it('fills path and query, and drops an empty query value', async () => {
    reply = answer(200, { code: 200, data: {} })
    await client().call(routes.uploads.abort, { params: { uploadId: 'a/b' } })
    expect(seen).toMatchObject({ method: 'DELETE', url: '/api/uploads/a%2Fb' })
    await client().call(routes.auth.info, { query: { spaceId: 2 } })
    expect(seen.url).toBe('/api/user/info?spaceId=2')
    await client().stream(routes.downloads.content, { query: { path: '/a b&c', ticket: '' } })
    expect(seen.url).toBe('/api/files/content?path=%2Fa+b%26c')
  })

  it('takes the token of one call in place of its own, or none', async () => {
    reply = answer(200, { code: 200, data: { result: [] } })
    await client('session').call(routes.auth.spaces, {}, { token: 'refresh' })
    expect(seen.headers.authorization).toBe('Bearer refresh')
    await client('session').call(routes.auth.spaces, {}, { token: null })
    expect(seen.headers.authorization).toBeUndefined()
  })

  it('marks a quiet call, which does not keep the session awake', async () => {
    reply = answer(200, { code: 200, data: { result: [] } })
    await client().call(routes.auth.spaces, {}, { quiet: true })
    expect(seen.headers['x-no-refresh']).toBe('1')
    await client().call(routes.auth.spaces, {})
    expect(seen.headers['x-no-refresh']).toBeUndefined()
  })

  it('calls a file operation by its name', async () => {
    reply = answer(200, { code: 200, data: { path: '/new' } })
    expect(await client().operation('mkdir', { folder: '/', name: 'new' })).toEqual({ path: '/new' })
    expect(seen).toMatchObject({ url: '/api/files/mkdir', body: '{"folder":"/","name":"new"}' })
  })

  it('sends bytes as they are', async () => {
    reply = answer(200, { code: 200, data: { ranges: [[0, 3]], hash: 'h' } })
    const part = await client('grant').call(routes.uploads.part, {
      params: { uploadId: 'u1', offset: 0 },
      body: new TextEncoder().encode('abc'),
    })
    expect(part.ranges).toEqual([[0, 3]])
    expect(seen).toMatchObject({ method: 'PUT', url: '/api/uploads/u1/parts/0', body: 'abc' })
    expect(seen.headers['content-type']).toBe('application/octet-stream')
  })

  it('hands the bytes of a download to the caller', async () => {
    reply = (response) => response.writeHead(206, { 'content-range': 'bytes 1-2/3' }).end('bc')
    const response = await client().stream(
      routes.downloads.content,
      { query: { path: '/a' } },
      { headers: { range: 'bytes=1-2' } },
    )
    expect(seen.headers.range).toBe('bytes=1-2')
    expect([response.status, await response.text()]).toEqual([206, 'bc'])
  })
})

describe('error of a call', () => {
  it('carries name, code, data and request id of the answer', async () => {
    reply = answer(400, { code: 1005, message: '账号或密码错误', data: { loginFailTimes: 2, requestId: 'r1' } })
    const error = await caught(client().call(routes.auth.spaces, {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'PASSWORD_WRONG',
      code: 1005,
      status: 400,
      message: '账号或密码错误',
      data: { loginFailTimes: 2 },
      requestId: 'r1',
    })
  })

  it('names 1037 like 1041, and a number from a newer server UNKNOWN', async () => {
    reply = answer(400, { code: 1037, message: 'expired' })
    expect(await caught(client().call(routes.auth.spaces, {}))).toMatchObject({ name: 'LINK_EXPIRED', code: 1037 })
    reply = answer(400, { code: 9999, message: 'later' })
    expect(await caught(client().call(routes.auth.spaces, {}))).toMatchObject({ name: 'UNKNOWN', code: 9999 })
  })

  it.each([502, 200])('is SERVER_UNAVAILABLE when HTTP %i brings a page instead of an envelope', async (status) => {
    reply = (response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>proxy</h1>')
    expect(await caught(client().call(routes.auth.spaces, {}))).toMatchObject({
      name: 'SERVER_UNAVAILABLE',
      code: 0,
      status,
    })
  })

  it('is SERVER_UNAVAILABLE with its cause when nobody answers', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', fetch: globalThis.fetch })
    const error = await caught(nobody.call(routes.auth.spaces, {}))
    expect(error).toMatchObject({ name: 'SERVER_UNAVAILABLE', status: 0 })
    expect((error as Error).cause).toBeInstanceOf(Error)
  })

  it('is the caller’s own reason when the caller gives up', async () => {
    const controller = new AbortController()
    reply = () => controller.abort(new Error('closed the page'))
    const error = await caught(client().call(routes.auth.spaces, {}, { signal: controller.signal }))
    expect(error).not.toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message: 'closed the page' })
  })

  it('is SERVER_UNAVAILABLE when the answer takes longer than the deadline', async () => {
    reply = () => undefined
    const hasty = createClient({ baseUrl, fetch: globalThis.fetch, timeoutMs: 20 })
    expect(await caught(hasty.call(routes.auth.spaces, {}))).toMatchObject({ name: 'SERVER_UNAVAILABLE' })
  })
})
