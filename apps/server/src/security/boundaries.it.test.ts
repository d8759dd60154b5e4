import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doors, gives, STRANGE_ID, type Door } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { openSocket } from './testing/sockets.ts'
import { exchange, type Login } from './testing/wire.ts'

let site: Site
let mei: Login

beforeAll(async () => {
  site = await openSite()
  await site.addUser('mei')
  mei = await site.signIn('mei')
  await site.upload(mei.token, 'a', Buffer.from('content of mei'))
})
afterAll(async () => site[Symbol.asyncDispose]())

/** Other ways to write a path that a guard and a router may read differently. */
function spellings(path: string): string[] {
  const [plain = '', query] = path.split('?')
  const search = query === undefined ? '' : `?${query}`
  const last = plain.lastIndexOf('/')
  const [folder, name] = [plain.slice(0, last), plain.slice(last + 1)]
  return [
    `/${plain}`,
    plain.replaceAll('/', '//'),
    `${folder}%2F${name}`,
    `${folder}%2f${name}`,
    `${folder}\\${name}`,
    `${folder}%5c${name}`,
    `${plain};x=1`,
    `${plain}/.`,
    `${folder}/./${name}`,
    `${folder}/x/../${name}`,
    `${folder}/x/%2e%2e/${name}`,
    `${folder}/..;/${name}`,
    `${plain}/`,
    `${plain}.`,
    `${plain}%00`,
    `${plain}%20`,
    `${plain}%09`,
    `${plain}#`,
    plain.toUpperCase(),
    `/%61${plain.slice(2)}`,
    plain.replace('/api', '/%2561pi'),
    `${site.url}${plain}`,
    `http://evil.example${plain}`,
    `/x/..${plain}`,
    `/docs/..${plain}`,
    `/assets/..%2f..${plain}`,
    `/api/docs/files/..${plain}`,
    `${plain}\u00ff`,
  ].map((spelling) => spelling + search)
}

describe('paths that guard and router may read differently', () => {
  it('never open more than the plain one does (T40)', async () => {
    const wrong: string[] = []
    let tried = 0
    for (const { name, access, question } of doors()) {
      if (access === 'public') continue
      for (const path of spellings(question.path)) {
        // The client refuses to send a few of them at all; those go over a bare connection below.
        const answer = await site.ask({ ...question, path }).catch(() => undefined)
        tried++
        if (answer !== undefined && gives(answer)) wrong.push(`${name}: ${path} ${answer.status}`)
      }
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(800)
  })

  it('nor when they are sent raw (T40)', async () => {
    const wrong: string[] = []
    for (const target of spellings('/api/user/info')) {
      const received = await exchange(
        site.url,
        Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'),
      )
      if (/"code":200|content of mei/.test(received)) wrong.push(target)
    }
    expect(wrong).toEqual([])
  })

  it('two requests in one, or a body of two lengths, are not read as another one (T40)', async () => {
    const inner = `GET /api/files/content?path=/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mei.token}\r\n\r\n`
    const attempts = [
      `POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner}`,
      `POST /api/user/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
      `POST /api/user/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
      `GET /api/user/info HTTP/1.1\r\nHost: x\r\nX: a\rAuthorization: Bearer ${mei.token}\r\n\r\n`,
    ]
    for (const attempt of attempts)
      expect(await exchange(site.url, attempt, 500)).not.toMatch(/content of mei|"code":200/)
  })
})

describe('content types that skip the schema', () => {
  const TYPES = [
    'application/json\t',
    'application/json ; charset=utf-8',
    'application/json;\tx',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; boundary=x',
    'application/vnd.api+json',
    'application/jsonp',
    'garbage',
    '',
    ';',
    'application/octet-stream',
  ]

  it('are refused or checked in full (T41)', async () => {
    const before = await site.databaseHash()
    const wrong: string[] = []
    for (const { name, question, access } of doors()) {
      if (question.json === undefined) continue
      // The console refuses a caller without the right before it reads anything.
      const refusals = [400, 5007, 5200, ...(typeof access === 'object' ? [1008] : [])]
      const body = JSON.stringify({
        ...(question.json as object),
        folder: 7,
        paths: 7,
        account: 7,
        oldPassword: 7,
        jobId: 7,
        recycleIds: 7,
        token: 7,
        limit: 'x',
        hash: 7,
      })
      for (const type of TYPES) {
        const answer = await site.ask({
          method: question.method,
          path: question.path,
          token: mei.token,
          body,
          headers: { 'content-type': type },
        })
        const isRefused = refusals.includes(answer.code ?? 0)
        if (!isRefused || answer.status >= 500) wrong.push(`${name} ${type}: ${answer.status} ${answer.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await site.databaseHash()).toBe(before)
  })

  it('a body deeper than every schema, or of the wrong kind, is refused (T41)', async () => {
    for (const body of [
      '[]',
      'null',
      '1',
      '"x"',
      '{',
      '',
      '{"folder":"/","folder":{"a":1}}',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    ]) {
      const headers = { 'content-type': 'application/json' }
      const answer = await site.ask({ method: 'POST', path: '/api/files/list', token: mei.token, body, headers })
      expect([answer.status, answer.code], body.slice(0, 20)).toEqual([400, 400])
    }
  })
})

describe('requests that another site makes a browser send', () => {
  const FOREIGN: ReadonlyArray<Readonly<Record<string, string>>> = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://127.0.0.1.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ]
  const changing = (): Door[] => doors().filter(({ question }) => !['GET', 'HEAD', 'OPTIONS'].includes(question.method))

  it('change nothing, with a stolen token even (T42)', async () => {
    const before = await site.databaseHash()
    const wrong: string[] = []
    // The page of an identity provider posts here; what it brings proves itself by a signature.
    const foreign = ['signOn.samlAnswer', 'signOn.samlSignOutForm']
    for (const { name, question } of changing().filter((door) => !foreign.includes(door.name))) {
      for (const headers of FOREIGN) {
        const answer = await site.ask({ ...question, token: mei.token, headers: { ...question.headers, ...headers } })
        if (answer.code !== 5005) wrong.push(`${name} ${JSON.stringify(headers)}: ${answer.status} ${answer.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await site.databaseHash()).toBe(before)
  })

  it('change nothing under another method either (T42)', async () => {
    const id = STRANGE_ID
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      for (const override of ['DELETE', 'PATCH', 'POST', 'delete']) {
        const headers = { origin: 'https://evil.example', 'x-http-method-override': override, 'tus-resumable': '1.0.0' }
        const answer = await site.ask({ method, path: `/files/uploads/${id}`, token: mei.token, headers })
        expect(method === 'HEAD' ? answer.status : answer.code, `${method} as ${override}`).toBe(
          method === 'HEAD' ? 400 : 5005,
        )
      }
    }
  })

  it('are given no leave to read answers (T42)', async () => {
    for (const { question } of doors()) {
      const headers = { ...question.headers, origin: 'https://evil.example' }
      const preflight = {
        ...headers,
        'access-control-request-method': question.method,
        'access-control-request-headers': 'authorization',
      }
      for (const answer of [
        await site.ask({ ...question, headers }),
        await site.ask({ method: 'OPTIONS', path: question.path, headers: preflight }),
      ]) {
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
  })

  it('cannot be framed, sniffed or referred to (T36, T42)', async () => {
    for (const { question } of doors()) {
      const { headers } = await site.ask({ ...question, token: mei.token })
      expect(headers['x-content-type-options'], question.path).toBe('nosniff')
    }
    for (const path of ['/docs/', '/api/docs/']) {
      const { headers } = await site.ask({ path })
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*'unsafe-inline'/)
    }
  })
})

describe('sockets that another site opens', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { origin: 'http://[::1]' },
    { 'sec-fetch-site': 'cross-site' },
  ])('%o is refused before the upgrade (T43)', async (headers) => {
    await expect(openSocket(site.url, { headers })).rejects.toThrow(/403/)
  })

  it('a rebound host gets a socket and nothing through it: there is no ambient credential (T43)', async () => {
    const socket = await openSocket(site.url, {
      headers: { host: 'rebound.example', origin: 'http://rebound.example', cookie: `token=${mei.token}` },
    })
    expect((await socket.ask({ type: 'call', operation: 'list', input: { folder: '/' } })).code).toBe(1009)
    expect((await socket.ask({ type: 'watch', spaceId: 1, groupId: 0, folder: '/' })).code).toBe(1009)
    socket.socket.terminate()
  })

  it('no other path takes an upgrade (T43)', async () => {
    for (const path of [
      '/',
      '/ws',
      '/ws/',
      '/ws/files/',
      '/WS/FILES',
      '//ws/files',
      '/api/user/info',
      '/ws/client/',
      '/ws/clients',
    ]) {
      const upgrade = `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
      expect(await exchange(site.url, upgrade, 500), path).not.toContain('101 Switching')
    }
  })
})
