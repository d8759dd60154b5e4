import { encodePassword, MAIL_ENCRYPTION } from '@godwit/contract'
import { launchSmtp, type KeptMail, type Smtp } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from './security/testing/sites.ts'
import { signedInSocket } from './security/testing/sockets.ts'
import type { Answer } from './security/testing/wire.ts'

const PUBLIC_URL = 'https://files.example.org'
const NEW_PASSWORD = 'Moonlight-77'

describe('mails and notices of a running server', () => {
  let smtp: Smtp
  let site: Site

  beforeAll(async () => {
    smtp = await launchSmtp()
    site = await openSite({
      env: {
        GODWIT_PUBLIC_URL: PUBLIC_URL,
        GODWIT_TRUSTED_PROXIES: '127.0.0.1',
        ...smtp.environment,
      },
    })
    for (const account of ['mei', 'tom']) {
      await site.addUser(account)
      await site.withDatabase(({ db }) =>
        db
          .updateTable('users')
          .set({ email: `${account}@example.org`, email_key: `${account}@example.org` })
          .where('account', '=', account)
          .execute(),
      )
    }
    await site.cli('site set resetPasswordSwitch 1')
    await site.cli('site set emailVerificationSwitch 1')
    // A running server follows within a second.
    while ((await site.ask({ path: '/api/website/info' })).data['emailVerificationSwitch'] !== 1);
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await smtp.stop()
  })

  const post = (path: string, json: object, token?: string, headers: Record<string, string> = {}) =>
    site.ask({ method: 'POST', path, json, token, headers })
  const codeIn = (mail: KeptMail) => /^\d{6}$/m.exec(mail.parsed.text ?? '')?.[0] ?? ''
  /** Signs in with the code that comes by mail. @param count which mail to this account it is */
  const signIn = async (account: string, password = PASSWORD, count = 1): Promise<string> => {
    const credentials = { account, password: encodePassword(password) }
    expect((await post('/api/user/login', credentials)).code).toBe(4132)
    expect((await post('/api/user/emailVerification', { account, language: 1 })).code).toBe(200)
    const emailCode = codeIn(await smtp.mailTo(`${account}@example.org`, count))
    const answer = await post('/api/user/login', { ...credentials, emailCode })
    expect(answer.code).toBe(200)
    return String(answer.data['token'])
  }
  const bell = (answer: Answer) =>
    answer.data['notic_list'] as unknown as ReadonlyArray<{ readonly id: string; readonly title: string }>

  it('show pages whether the system can send, and by which address', async () => {
    const { data } = await site.ask({ path: '/api/service/info' })
    expect(data).toMatchObject({ emailAccount: smtp.account, emailVerificationSwitch: 1, resetPasswordSwitch: 1 })
  })

  it('bring the code for a sign-in, and nothing in the request reaches them (T22, T44)', async () => {
    const credentials = { account: 'mei', password: encodePassword(PASSWORD) }
    const forged = {
      'x-forwarded-host': 'evil.example.net',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example.net',
      'x-original-url': 'http://evil.example.net/',
      'accept-language': 'evil.example.net',
      'user-agent': 'evil.example.net',
    }
    expect(await post('/api/user/login', credentials, undefined, forged)).toMatchObject({
      code: 4132,
      data: { email: 'm…@example.org' },
    })
    for (const host of ['evil.example.net', 'files.example.org:1@evil.example.net', 'evil.example.net:80']) {
      await post('/api/user/emailVerification', { account: 'mei', language: 1 }, undefined, { ...forged, host })
    }
    const mail = await smtp.mailTo('mei@example.org')
    expect(mail.content).not.toContain('evil')
    expect(mail.hello).toBe('files.example.org')
    expect(mail.parsed.html).toContain(PUBLIC_URL)
    expect(mail.parsed.text).toContain(PUBLIC_URL)
    expect((await post('/api/user/login', { ...credentials, emailCode: codeIn(mail) })).code).toBe(200)
  })

  it('look an account up before the sign-in without telling who has one', async () => {
    for (const email of ['mei@example.org', 'nobody@example.org']) {
      const answer = await post('/api/legacy', { action: 'get_account', email })
      expect(answer.data).toEqual({ result: 0, account: email })
    }
    expect((await post('/api/legacy', { action: 'drop_table', email: 'x' })).code).toBe(400)
  })

  it('set a forgotten password in three steps over the wire', async () => {
    const asked = await post('/api/user/reset/password', { email: 'tom@example.org', language: 0 })
    expect(asked.data).toEqual({ resendAfterSeconds: 60, expiresInSeconds: 600 })
    const code = codeIn(await smtp.mailTo('tom@example.org'))
    const query = (typed: string) =>
      site.ask({ path: `/api/user/reset/password?email=tom%40example.org&code=${typed}` })
    expect((await query('12345')).code).toBe(5406)
    const passToken = String((await query(code)).data['passToken'])
    expect((await query(code)).code).toBe(5407)
    const set = () =>
      site.ask({
        method: 'PUT',
        path: '/api/user/reset/password',
        json: { passToken, password: encodePassword(NEW_PASSWORD) },
      })
    expect((await set()).code).toBe(200)
    expect((await set()).code).toBe(5408)
    expect(await signIn('tom', NEW_PASSWORD, 2)).not.toBe('')
  })

  it('reach the bell: list, unread number, push to open pages, read state', async () => {
    await site.addUser('lin')
    const login = (from: string) =>
      post('/api/user/login', { account: 'lin', password: encodePassword(PASSWORD) }, undefined, {
        'x-forwarded-for': from,
      })
    await site.cli('site set emailVerificationSwitch 0')
    while ((await login('192.0.2.1')).code !== 200);
    const token = String((await login('192.0.2.1')).data['token'])
    const socket = await signedInSocket(site.url, token)
    await login('198.51.100.7')
    while (!socket.events.some((event) => (event as { unread?: number }).unread === 1))
      await socket.ask({ type: 'ping' })
    const list = await site.ask({
      path: '/api/notice/list?pageNum=1&pageSize=50',
      token,
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(list.data).toMatchObject({ total: 1, size: 50, current: 1, unread: 1 })
    const [notice] = bell(list)
    expect(notice?.title).toBe('从新地址登录')
    const noticeIds = [notice?.id ?? '']
    const tom = await signInPlain('tom', NEW_PASSWORD)
    const read = (by: string, method: string) =>
      site.ask({ method, path: '/api/notice/status/update', token: by, json: { noticeIds } })
    expect((await read(tom, 'PATCH')).code).toBe(6055)
    expect((await read(token, 'PATCH')).data).toEqual({ unread: 0 })
    expect((await read(token, 'POST')).data).toEqual({ unread: 0 })
    while (!socket.events.some((event, at) => at > 0 && (event as { unread?: number }).unread === 0))
      await socket.ask({ type: 'ping' })
    expect(bell(await site.ask({ path: '/api/notice/list', token: tom }))).not.toContainEqual(notice)
    socket.socket.terminate()
    await site.cli('site set emailVerificationSwitch 1')
  })

  const signInPlain = async (account: string, password: string) =>
    String((await post('/api/user/login', { account, password: encodePassword(password) })).data['token'])

  it('may go out by a sender of one’s own, whose password nobody sees again', async () => {
    await site.cli('site set emailVerificationSwitch 0')
    while ((await post('/api/user/login', { account: 'mei', password: encodePassword(PASSWORD) })).code !== 200);
    const token = await signInPlain('mei', PASSWORD)
    const sender = {
      emailFromName: '梅',
      emailType: 9,
      emailAccount: smtp.account,
      emailPassword: encodePassword(smtp.password),
      emailSmtpHost: '127.0.0.1',
      emailSmtpPort: smtp.sslPort,
      emailEncryptType: MAIL_ENCRYPTION.ssl,
    }
    const fresh = await site.ask({ path: '/api/user/smtp/info', token })
    expect(fresh.data).toMatchObject({ configured: false, emailType: 9, emailSmtpPort: 465, emailEncryptType: 1 })
    const tested = await post('/api/user/smtp/test', sender, token)
    expect(tested.data).toMatchObject({ recipient: 'mei@example.org' })
    expect((await post('/api/user/smtp/update', sender, token)).code).toBe(200)
    const stored = await site.ask({ path: '/api/user/smtp/info', token })
    expect(stored.data).toMatchObject({ emailFromName: '梅', emailPassword: '', emailPasswordSet: true })
    const info = await site.ask({ path: '/api/user/info', token })
    expect(info.data['user']).toMatchObject({ emailAccount: smtp.account, emailSenderType: 1, noticeMailSwitch: 0 })
    const wrong = await post('/api/user/smtp/test', { ...sender, emailSmtpPort: smtp.plainPort }, token)
    expect(wrong).toMatchObject({ code: 5432, data: { stage: 'tls', reason: 'no-tls' } })
    const inside = await post('/api/user/smtp/test', { ...sender, emailSmtpHost: '127.0.0.2' }, token)
    expect(inside).toMatchObject({ code: 5432, data: { stage: 'address', reason: 'not-allowed' } })
    for (const { text } of [tested, stored, wrong, inside]) {
      expect(text).not.toContain(smtp.password)
      expect(text).not.toContain(encodePassword(smtp.password))
    }
    await site.cli('user sender --account mei --type system')
    for (const path of ['/api/user/smtp/update', '/api/user/smtp/test'])
      expect((await post(path, sender, token)).code).toBe(1008)
    expect((await site.ask({ path: '/api/user/smtp/info', token })).code).toBe(1008)
  })

  it('follow the profile: a new address, and copies of notices for those who want them', async () => {
    const token = await signInPlain('mei', PASSWORD)
    const update = (json: object) => post('/api/user/info/update', json, token)
    const proof = { password: encodePassword(PASSWORD) }
    expect((await update({ email: 'tom@example.org', ...proof })).code).toBe(1014)
    // By the address the password could be reset, so a page left open must not be enough.
    expect((await update({ email: 'mei2@example.org' })).code).toBe(400)
    expect((await update({ email: 'mei2@example.org', password: encodePassword('wrong') })).code).toBe(1023)
    expect((await update({ email: 'mei@example.org', name: 'Mei' })).code).toBe(200)
    expect((await update({ email: 'no address' })).code).toBe(4029)
    expect((await update({ account: 'other' })).code).toBe(400)
    const change = { email: 'mei2@example.org', ...proof, name: '梅', noticeMailSwitch: 1, language: 0 }
    expect((await update(change)).code).toBe(200)
    expect((await smtp.mailTo('mei@example.org', 3)).parsed.subject).toBe('你的邮箱已更改')
    const copy = await smtp.mailTo('mei2@example.org')
    expect(copy.parsed.subject).toBe('邮箱已更改')
    expect(copy.parsed.text).toContain(`${PUBLIC_URL}/notification`)
  })
})
