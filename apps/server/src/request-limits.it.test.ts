import { once } from 'node:events'
import net from 'node:net'
import { KiB, MiB } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './security/testing/sites.ts'
import { exchange } from './security/testing/wire.ts'

const PER_ADDRESS = 30
const PROXY = '127.0.0.2'

describe('what a request may cost', () => {
  let site: Site
  let admin: string
  let mei: string
  beforeAll(async () => {
    site = await openSite({
      env: {
        GODWIT_HTTP_BODY_MEMORY_BYTES: String(128 * MiB),
        GODWIT_HTTP_MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
        GODWIT_TRUSTED_PROXIES: PROXY,
      },
    })
    await site.addUser('mei')
    admin = (await site.signIn('admin')).token
    mei = (await site.signIn('mei')).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const headOf = (path: string, length: number, token?: string): string => {
    const credential = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
    return `POST ${path} HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  }
  const connect = (localAddress = '127.0.0.1'): net.Socket => {
    const { hostname, port } = new URL(site.url)
    return net.connect({ host: hostname, port: Number(port), localAddress }).on('error', () => undefined)
  }

  it('asks by HEAD whatever GET answers, without its bytes', async () => {
    for (const path of ['/healthz', '/readyz', '/docs/', '/api/docs/', '/api/openapi.json', '/api/website/info']) {
      const whole = await site.ask({ path })
      const head = await site.ask({ method: 'HEAD', path })
      expect([path, head.status, head.text]).toEqual([path, 200, ''])
      expect(head.headers['content-type']).toBe(whole.headers['content-type'])
      expect(head.headers['content-length']).toBe(whole.headers['content-length'])
    }
    expect((await site.ask({ method: 'HEAD', path: '/api/files/list' })).status).toBe(404)
  })

  it('asks in vain for metrics without their token, and never gets a page', async () => {
    for (const accept of ['*/*', 'text/html', 'application/openmetrics-text;version=1.0.0']) {
      const answer = await site.ask({ path: '/metrics', headers: { accept } })
      expect([answer.status, answer.code]).toEqual([400, 1009])
    }
  })

  it('of a stranger is 16 KiB at most, announced or not', async () => {
    const path = '/api/user/login'
    const announced = await exchange(site.url, headOf(path, 16 * KiB + 1))
    expect(announced).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":5008/)
    const chunk = `${(17 * KiB).toString(16)}\r\n${'a'.repeat(17 * KiB)}\r\n`
    const head = headOf(path, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')
    expect(await exchange(site.url, head + chunk)).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":5008/)
    const whole = await site.ask({ method: 'POST', path, json: { account: 'a'.repeat(15 * KiB), password: 'x' } })
    expect(whole.status).toBe(400)
  })

  it('of a stranger at a route of accounts is nothing: the answer comes before the body', async () => {
    expect(await exchange(site.url, headOf('/api/files/list', 8 * MiB))).toContain('"code":1009')
    expect(await exchange(site.url, headOf('/api/files/list', 8 * MiB, 'no-such-token'))).toContain('"code":1009')
  })

  it('at an address that nobody serves is nothing', async () => {
    expect(await exchange(site.url, headOf('/api/nothing/here', 8 * MiB))).toMatch(/^HTTP\/1.1 404 [\s\S]*"code":5006/)
  })

  it('of one account leaves memory to the others, and says when to ask again', async () => {
    const holder = connect()
    holder.write(headOf('/api/files/list', 8 * MiB - 1, admin))
    holder.write('{')
    await expect
      .poll(() => exchange(site.url, headOf('/api/files/list', 8 * MiB - 1, admin), 200))
      .toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*"code":5014/)
    expect((await site.call(mei, 'list', { folder: '/' })).code).toBe(200)
    expect((await site.call(admin, 'list', { folder: '/' })).code).toBe(200)
    holder.destroy()
  })

  it('does not grow with the values in a body', async () => {
    const body = `{"folder":[${'{},'.repeat(MiB)}{}]}`
    const headers = { 'content-type': 'application/json' }
    const answer = await site.ask({ method: 'POST', path: '/api/files/list', token: admin, body, headers })
    expect([answer.status, answer.code, answer.data['maxValues']]).toEqual([413, 5008, 200_000])
  })

  it('of 10,000 paths with commas and brackets in their names is served', async () => {
    const paths = Array.from({ length: 10_000 }, (_, at) => `/[${at}], {a, b, c}`)
    expect((await site.call(admin, 'exists', { paths })).code).toBe(200)
  })

  it('is 32 requests ahead of their answers at most on one connection', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    expect((await exchange(site.url, request.repeat(10), 300)).match(/200 OK/g)).toHaveLength(10)
    const many = await exchange(site.url, request.repeat(1_000), 300)
    expect((many.match(/200 OK/g) ?? []).length).toBeLessThan(1_000)
  })

  it('of callers who go away is no error of the server', async () => {
    for (let at = 0; at < 5; at++) {
      const socket = connect()
      socket.write(headOf('/api/files/list', 1_000, admin))
      socket.write('{"folder":')
      await once(socket, 'connect')
      await site.ask({ path: '/healthz' })
      socket.destroy()
    }
    await expect.poll(() => site.godwit.output()).toContain('the caller went away')
    expect(site.godwit.output()).not.toMatch(/"level":50|"stack"/)
  })

  it('is one of few connections of an address, of which a trusted proxy has more', async () => {
    const behindProxy = Array.from({ length: 2 * PER_ADDRESS }, () => connect(PROXY))
    await Promise.all(behindProxy.map((socket) => once(socket, 'connect')))
    const open = Array.from({ length: PER_ADDRESS }, () => connect('127.0.0.3'))
    await Promise.all(open.map((socket) => once(socket, 'connect')))
    const refused = connect('127.0.0.3')
    const [answer] = (await once(refused, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 503 [\s\S]*"code":5014/)
    expect((await site.ask({ path: '/healthz' })).status).toBe(200)
    const served = behindProxy[0]?.setEncoding('utf8')
    served?.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1:4711\r\n\r\n')
    expect(String(await once(served ?? refused, 'data'))).toMatch(/^HTTP\/1.1 200/)
    for (const socket of [...behindProxy, ...open]) socket.destroy()
  })
})
