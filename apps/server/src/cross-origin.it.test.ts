import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './security/testing/sites.ts'
import type { Answer } from './security/testing/wire.ts'

const SITE = 'https://www.example.org'
const OTHERS = ['https://example.org', 'http://www.example.org', 'https://www.example.org:8443', 'null', '*']
const TUS = { 'tus-resumable': '1.0.0', 'upload-length': '3' }

describe('pages of other sites', () => {
  let site: Site
  let token: string
  beforeAll(async () => {
    site = await openSite({ env: { GODWIT_HTTP_ALLOWED_ORIGINS: `${SITE}, http://localhost:3000` } })
    token = (await site.signIn('admin')).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const preflight = (path: string, method: string, origin = SITE): Promise<Answer> =>
    site.ask({
      method: 'OPTIONS',
      path,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,tus-resumable,upload-offset',
        'sec-fetch-site': 'cross-site',
      },
    })
  const upload = (origin: string): Promise<Answer> =>
    site.ask({
      method: 'POST',
      path: '/files/uploads',
      token,
      headers: { ...TUS, origin, 'sec-fetch-site': 'cross-site', 'upload-metadata': 'filename YS50eHQ=' },
    })
  const grants = ({ headers }: Answer): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'))

  it.each([
    ['/files/uploads', 'POST'],
    ['/files/uploads/0123456789abcdef', 'PATCH'],
    ['/files/uploads/0123456789abcdef', 'HEAD'],
    ['/api/uploads', 'POST'],
    ['/api/uploads/0123456789abcdef/parts/0', 'PUT'],
    ['/api/uploads/pack?folder=%2F', 'POST'],
    ['/api/files/list', 'POST'],
    ['/api/files/content?path=/a.txt', 'GET'],
  ])(
    'that are allowed may call %s by %s, with a token and without credentials of the browser',
    async (path, method) => {
      const answer = await preflight(path, method)
      expect(answer.status).toBe(204)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': SITE,
        'access-control-allow-methods': method,
        vary: 'Origin, Access-Control-Request-Method',
      })
      expect(answer.headers['access-control-allow-headers']).toMatch(/Authorization.*Tus-Resumable.*Upload-Offset/)
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  it('that are allowed read the answer, and where their upload is', async () => {
    const answer = await upload(SITE)
    expect(answer.status).toBe(201)
    expect(answer.headers['access-control-allow-origin']).toBe(SITE)
    expect(answer.headers['access-control-expose-headers']).toMatch(/Location.*Upload-Offset/)
    expect(answer.headers['location']).toMatch(/^\/files\/uploads\//)
    const headers = { origin: SITE, 'sec-fetch-site': 'cross-site' }
    const listed = await site.ask({ method: 'POST', path: '/api/files/list', token, json: { folder: '/' }, headers })
    expect([listed.code, listed.headers['access-control-allow-origin']]).toEqual([200, SITE])
    const refused = await site.ask({ method: 'POST', path: '/api/files/list', json: { folder: '/' }, headers })
    expect([refused.code, refused.headers['access-control-allow-origin']]).toEqual([1009, SITE])
  })

  it.each(OTHERS)('of the origin %s are given nothing', async (origin) => {
    expect(grants(await preflight('/files/uploads', 'POST', origin))).toEqual([])
    const answer = await upload(origin)
    expect([answer.code, grants(answer)]).toEqual([5005, []])
  })

  it('manage no account and sign nobody in, allowed or not', async () => {
    for (const [path, method] of [
      ['/api/user/login', 'POST'],
      ['/api/user/password/update', 'POST'],
      ['/api/files/list', 'DELETE'],
      ['/api/nothing', 'POST'],
      ['/', 'GET'],
    ] as const) {
      expect(grants(await preflight(path, method)), path).toEqual([])
    }
    const json = { account: 'admin', password: 'x' }
    const answer = await site.ask({ method: 'POST', path: '/api/user/login', json, headers: { origin: SITE } })
    expect([answer.code, grants(answer)]).toEqual([5005, []])
  })
})
