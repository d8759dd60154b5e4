import { createHmac, createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doors, isRefusedStranger, STRANGE_ID } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { openSocket, signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

describe('credentials at every door', () => {
  let site: Site
  let mei: Login
  const credentials = new Map<string, string | undefined>()

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('mei')
    await site.addUser('tom')
    mei = await site.signIn('mei')
    await site.upload(mei.token, 'a', Buffer.from('content of mei'))
    const ended = await site.signIn('mei')
    await site.ask({ method: 'POST', path: '/api/user/logout', token: ended.token })
    const created = await site.ask({
      method: 'POST',
      path: '/api/uploads',
      token: mei.token,
      json: { folder: '/', filename: 'granted', size: 1 },
    })
    const ticket = await site.call(mei.token, 'ticket', { paths: ['/a'] })
    const idle = await site.signIn('tom')
    await site.withDatabase(({ db }) =>
      db.updateTable('sessions').set({ last_seen_at: 0 }).where('user_id', '=', idle.userId).execute(),
    )
    const derived = createHmac('sha256', createHash('sha256').update(mei.token).digest())
      .update('transfer:v1')
      .digest('base64url')
    for (const [kind, text] of Object.entries({
      none: undefined,
      empty: '',
      malformed: 'x'.repeat(43),
      'with a space': `${mei.token} ${mei.token}`,
      'with a NUL': `${mei.token}%00`,
      '600 characters': 'y'.repeat(600),
      'a refresh token': mei.refresh,
      'an upload grant of another upload': String(created.data['grant']),
      'a download ticket': String(ticket.data['ticket']),
      'a derived transfer password': derived,
      'a user id': mei.userId,
      'the hash of a token': createHash('sha256').update(mei.token).digest('hex'),
      signedOut: ended.token,
      expired: idle.token,
      'an upload id': String(created.data['uploadId']),
    })) {
      credentials.set(kind, text)
    }
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('opens no door but the public ones to any wrong kind of credential (T12)', async () => {
    const wrong: string[] = []
    let cells = 0
    for (const { name, access, question } of doors()) {
      if (access === 'public') continue
      for (const [kind, token] of credentials) {
        const answer = await site.ask({ ...question, token })
        cells++
        // HEAD has no body to carry a code.
        const isRefused = isRefusedStranger(answer) || (question.method === 'HEAD' && answer.status >= 400)
        if (!isRefused) wrong.push(`${name} with ${kind}: ${answer.status} ${answer.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(cells).toBeGreaterThan(300)
    // The same doors know a right one.
    expect((await site.call(mei.token, 'list', { folder: '/' })).code).toBe(200)
  })

  it('takes no other scheme, no credential in the address and no cookie (T12)', async () => {
    const wrong: string[] = []
    for (const headers of [
      { authorization: `Basic ${Buffer.from(`mei:${mei.token}`).toString('base64')}` },
      { authorization: mei.token },
      { authorization: `Token ${mei.token}` },
      { cookie: `token=${mei.token}; authorization=Bearer ${mei.token}` },
      { 'x-auth-token': mei.token, 'x-api-key': mei.token },
      { 'proxy-authorization': `Bearer ${mei.token}` },
    ]) {
      const answer = await site.ask({ path: `/api/user/info?token=${mei.token}&access_token=${mei.token}`, headers })
      if (!isRefusedStranger(answer)) wrong.push(JSON.stringify(headers))
    }
    expect(wrong).toEqual([])
  })

  it('refuses each of them on the file socket too, and calls before a login (T12)', async () => {
    const admitted: string[] = []
    for (const [kind, token] of credentials) {
      if (kind === 'none') continue
      const socket = await openSocket(site.url, { headers: { authorization: `Bearer ${mei.token}` } })
      const before = await socket.ask({ type: 'call', operation: 'list', input: { folder: '/' } })
      const login = await socket.ask({ type: 'login', token: token?.slice(0, 200), spaceId: 1 })
      const asPassword = await socket.ask({
        type: 'login',
        username: mei.userId,
        password: token?.slice(0, 1000),
        spaceId: 1,
      })
      const isDerived = kind === 'a derived transfer password'
      if (before.code === 200 || login.code === 200 || (asPassword.code === 200) !== isDerived) admitted.push(kind)
      socket.socket.terminate()
    }
    expect(admitted).toEqual([])
  })

  it('answers an open socket with nothing once its session ended (T12)', async () => {
    const login = await site.signIn('mei')
    const socket = await signedInSocket(site.url, login.token)
    expect((await socket.ask({ type: 'call', operation: 'list', input: { folder: '/' } })).code).toBe(200)
    await site.ask({ method: 'POST', path: '/api/user/logout', token: login.token })
    expect(await socket.closed).toBe(4401)
  })

  it('lets public doors answer nobody anything about accounts (T12)', async () => {
    const texts: string[] = []
    for (const { question } of doors().filter(({ access }) => access === 'public'))
      texts.push((await site.ask(question)).text)
    for (const path of ['/healthz', '/readyz', '/docs/', '/api/docs/', '/api/openapi.json']) {
      texts.push((await site.ask({ path })).text)
    }
    expect(texts.join('\n')).not.toMatch(/"mei"|\btom\b.*@|content of mei/)
    expect(texts.join('\n')).not.toContain(site.data)
  })

  it('an upload grant opens its own upload and nothing else (T12, T65)', async () => {
    const grant = credentials.get('an upload grant of another upload')
    const uploadId = credentials.get('an upload id') ?? ''
    expect((await site.ask({ path: `/api/uploads/${uploadId}`, token: grant })).code).toBe(200)
    expect(isRefusedStranger(await site.ask({ path: `/api/uploads/${STRANGE_ID}`, token: grant }))).toBe(true)
    expect(isRefusedStranger(await site.ask({ path: '/api/user/info', token: grant }))).toBe(true)
  })
})
