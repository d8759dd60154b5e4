import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './security/testing/sites.ts'
import { exchange } from './security/testing/wire.ts'

describe('a request that is broken', () => {
  let site: Site
  let token: string
  beforeAll(async () => {
    site = await openSite()
    token = (await site.signIn('admin')).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const post = (body: string | Uint8Array, headers = {}) =>
    site.ask({
      method: 'POST',
      path: '/api/files/mkdir',
      token,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })

  it.each([
    ['no HTTP at all', 'GARBAGE\r\n\r\n', 400, 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 400],
    ['an address with bare Chinese', 'GET /api/files/content?path=/报 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 400],
    ['a negative length', 'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400, 400],
    ['20,000 bytes of headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 5013],
  ])('as %s is answered with a code and a text', async (_what, sent, status, code) => {
    const received = await exchange(site.url, Buffer.from(sent))
    const [head = '', body = ''] = received.split('\r\n\r\n')
    expect(head.split(' ')[1]).toBe(String(status))
    expect(JSON.parse(body)).toMatchObject({ code, message: expect.stringMatching(/\w+ \w+/) as string })
  })

  it('as a body that is no JSON, or none, says which rule it breaks', async () => {
    for (const body of ['{', '', '{"folder":"/","name":"a","__proto__":{}}']) {
      const answer = await post(body)
      expect([answer.status, answer.code]).toEqual([400, 400])
      expect(answer.data['rule']).toMatch(/^Body /)
    }
  })

  it('as bytes that are not UTF-8 makes no file or folder of another name', async () => {
    const answer = await post(Buffer.from('{"folder":"/","name":"a\xffb"}', 'latin1'))
    expect([answer.status, answer.code]).toEqual([400, 400])
    expect((await post('{"folder":"/","name":"whole"}')).code).toBe(200)
    expect(fs.readdirSync(site.home('admin'))).toEqual(['whole'])
  })

  it('as a body in a coding that nobody decodes is refused', async () => {
    const answer = await post('{"folder":"/","name":"coded"}', { 'content-encoding': 'gzip' })
    expect([answer.status, answer.code]).toEqual([415, 5007])
  })

  it('as a path or name that is too long says that', async () => {
    const long = '/a'.repeat(3_000)
    for (const [operation, input] of [
      ['list', { folder: long }],
      ['attributes', { paths: [long] }],
      ['move', { paths: ['/whole'], target: long }],
      ['ticket', { paths: [long] }],
    ] as const) {
      expect([operation, (await site.call(token, operation, input)).code]).toEqual([operation, 5105])
    }
    const name = 'n'.repeat(3_000)
    const made = await site.call(token, 'mkdir', { folder: '/', name })
    expect([made.code, made.data['fault']]).toEqual([5104, 'too-long'])
    const create = (json: object) => site.ask({ method: 'POST', path: '/api/uploads', token, json })
    expect((await create({ folder: '/', filename: name, size: 1 })).code).toBe(5104)
    expect((await create({ folder: '/', filename: 'a', relativePath: long.slice(1), size: 1 })).code).toBe(5105)
  })

  it('as an address with two question marks is read to its end', async () => {
    await site.upload(token, 'a.txt', Buffer.from('content'))
    expect((await site.ask({ path: '/api/files/content?path=/a.txt', token })).text).toBe('content')
    expect((await site.ask({ path: '/api/files/content?path=/a.txt?b', token })).code).toBe(5100)
  })
})
