import { setTimeout as sleep } from 'node:timers/promises'
import { allRoutes, encodePassword, PERMISSION } from '@godwit/contract'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softAuthenticator } from '../testing/authenticators.ts'
import { doors } from './testing/doors.ts'
import { openSite, PASSWORD, type Site } from './testing/sites.ts'
import { signedInSocket } from './testing/sockets.ts'
import { connectScriptedClient } from '@godwit/testkit'
import type { Answer, Login } from './testing/wire.ts'

const password = encodePassword(PASSWORD)
/** A change by the command is seen by requests within this time. */
const SEEN_MS = 1_100

interface Opened extends AsyncDisposable {
  readonly site: Site
  readonly post: (login: Login, what: string, json?: object) => Promise<Answer>
  readonly get: (login: Login, what: string) => Promise<Answer>
}

async function open(env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const site = await openSite({ env })
  for (const account of ['mei', 'tom']) await site.addUser(account)
  return {
    site,
    post: ({ token }, what, json = {}) => site.ask({ method: 'POST', path: `/api/user/${what}`, token, json }),
    get: ({ token }, what) => site.ask({ path: `/api/user/${what}`, token }),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}

describe('where an account is signed in', () => {
  let at: Opened
  beforeAll(async () => {
    at = await open()
  })
  afterAll(async () => at[Symbol.asyncDispose]())

  const sessions = async (login: Login) =>
    (await at.get(login, 'sessions')).data['sessions'] as unknown as Array<{
      id: string
      current: boolean
      address: string
    }>

  it('lists the own session first and no other account', async () => {
    const one = await at.site.signIn('mei')
    await at.site.signIn('tom')
    await at.site.signIn('mei')
    const listed = await sessions(one)
    expect(listed.map(({ current }) => current)).toEqual([true, false])
    expect(listed[0]).toMatchObject({ address: '127.0.0.1' })
    expect(JSON.stringify(listed)).not.toContain(one.token)
  })

  it('signs one place out, which is notified, and no place of another account (T27)', async () => {
    const here = await at.site.signIn('mei')
    const there = await at.site.signIn('mei')
    const tom = await at.site.signIn('tom')
    const socket = await signedInSocket(at.site.url, there.token)
    const id = (await sessions(there))[0]?.id
    expect((await at.post(tom, 'sessions/end', { sessionId: id })).code).toBe(5449)
    expect((await at.post(here, 'sessions/end', { sessionId: id })).code).toBe(200)
    expect(await socket.closed).toBe(4401)
    expect(socket.events).toContainEqual({ type: 'event', event: 'session.ended', reason: 'elsewhere' })
    expect((await at.get(there, 'info')).code).toBe(1009)
    expect((await at.site.ask({ method: 'PUT', path: '/api/user/auth', token: there.refresh })).code).toBe(1009)
    expect((await at.post(here, 'sessions/end', { sessionId: id })).code).toBe(5449)
  })

  it('signs every other place out and stays (T18)', async () => {
    const here = await at.site.signIn('mei')
    const others = [await at.site.signIn('mei'), await at.site.signIn('mei')]
    expect((await at.post(here, 'sessions/end-others')).data['sessions']).toBeGreaterThanOrEqual(2)
    for (const other of others) expect((await at.get(other, 'info')).code).toBe(1009)
    expect(await sessions(here)).toHaveLength(1)
  })

  it.each(['console', 'command'])('stays signed out when a lock by the %s is taken off again (T18)', async (by) => {
    const admin = await at.site.signIn('admin')
    const tom = await at.site.signIn('tom')
    const set = async (what: 'lock' | 'unlock') => {
      if (by === 'command') return expect(await at.site.cli(`user ${what} --account tom`)).toBe(0)
      const json = { ids: [tom.userId] }
      const path = `/api/admin/users/${what}`
      expect((await at.site.ask({ method: 'POST', path, token: admin.token, json })).code).toBe(200)
    }
    await set('lock')
    await set('unlock')
    await expect.poll(async () => (await at.get(tom, 'info')).code, { timeout: 5_000 }).toBe(1009)
    expect((await at.site.ask({ method: 'PUT', path: '/api/user/auth', token: tom.refresh })).code).toBe(1009)
    const again = await at.site.signIn('tom')
    expect((await at.get(again, 'info')).code).toBe(200)
  })

  it('keeps the history of sign-ins, right and wrong ones, with address and program', async () => {
    const tom = await at.site.signIn('tom')
    await at.site.ask({
      method: 'POST',
      path: '/api/user/login',
      headers: { 'user-agent': 'Guesser/1' },
      json: { account: 'tom', password: encodePassword('wrong') },
    })
    const history = async () =>
      (await at.get(tom, 'sign-ins?pageSize=1')).data as unknown as { result: object[]; total: number }
    await expect
      .poll(async () => (await history()).result[0])
      .toMatchObject({ method: 'password', result: 'wrong-password', userAgent: 'Guesser/1', address: '127.0.0.1' })
    const all = (await at.get(tom, 'sign-ins')).data['result'] as unknown as Array<{ result: string }>
    expect(all.at(1)).toMatchObject({ result: 'success' })
    expect((await history()).total).toBe(all.length)
  })
})

describe('the second factor at sign-in', () => {
  let at: Opened
  let mei: Login
  let secret = ''
  let recoveryCodes: string[] = []
  beforeAll(async () => {
    at = await open()
    mei = await at.site.signIn('mei')
  })
  afterAll(async () => at[Symbol.asyncDispose]())

  const codeIn = (seconds: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + seconds })
  const login = (secondFactor?: string, account = 'mei', typed = password) =>
    at.site.ask({ method: 'POST', path: '/api/user/login', json: { account, password: typed, secondFactor } })

  it('is begun with the password and switched on by a right code', async () => {
    expect((await at.post(mei, 'second-factor/begin', { password: encodePassword('wrong') })).code).toBe(1023)
    const begun = await at.post(mei, 'second-factor/begin', { password })
    secret = String(begun.data['secret'])
    expect(begun.data['uri']).toContain(`secret=${secret}`)
    expect((await login()).code).toBe(200)
    const confirmed = await at.post(mei, 'second-factor/confirm', { code: codeIn(0) })
    recoveryCodes = confirmed.data['recoveryCodes'] as unknown as string[]
    expect(recoveryCodes).toHaveLength(10)
    expect((await at.get(mei, 'second-factor')).data).toEqual({
      ...{ totp: true, required: false, recoveryCodesLeft: 10, passkeys: 0 },
    })
  })

  it('is asked for after the right password only, so that it shows nothing of the password (T22)', async () => {
    expect((await login()).code).toBe(5440)
    expect((await login('')).code).toBe(5440)
    expect((await login(undefined, 'mei', encodePassword('wrong'))).code).toBe(1005)
    expect((await login('000000', 'mei', encodePassword('wrong'))).code).toBe(1005)
  })

  it('takes a code once, and a recovery code once (T22)', async () => {
    const code = codeIn(30)
    expect((await login(code)).code).toBe(200)
    expect((await login(code)).code).toBe(5441)
    const [first = ''] = recoveryCodes
    expect((await login(first)).code).toBe(200)
    expect((await login(first)).code).toBe(5441)
    expect((await at.get(mei, 'second-factor')).data['recoveryCodesLeft']).toBe(9)
  })

  it('is skipped by no other way in (T22)', async () => {
    const change = { account: 'mei', oldPassword: password, newPassword: encodePassword('Moonlight-77') }
    const first = await at.site.ask({ method: 'POST', path: '/api/user/password/firstLogin/update', json: change })
    expect([first.code === 200, first.text.includes('token')]).toEqual([false, false])
    for (const json of [{ secondFactor: null }, { secondFactor: [] }, { totp: 'x' }, { emailCode: codeIn(60) }]) {
      const answer = await at.site.ask({
        method: 'POST',
        path: '/api/user/login',
        json: { account: 'mei', password, ...json },
      })
      expect(answer.code === 200).toBe(false)
    }
  })

  it('locks after five wrong codes, also for a right one, however many come at once (T20, T47)', async () => {
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, index) => login(String(100_000 + index))))
    const codes = guesses.map(({ code }) => code)
    expect(codes.filter((code) => code === 5441).length).toBeLessThanOrEqual(5)
    expect(codes.filter((code) => code === 1050).length).toBeGreaterThanOrEqual(35)
    expect((await login(recoveryCodes[1])).code).toBe(1050)
    const history = (await at.get(mei, 'sign-ins?pageSize=50')).data['result'] as unknown as Array<{ result: string }>
    expect(history.some(({ result }) => result === 'wrong-second-factor')).toBe(true)
    await at.site.withDatabase(({ db }) => db.deleteFrom('sign_in_failures').execute())
  })

  it('is taken off, or given new recovery codes, with password and code only', async () => {
    const [, , third = '', fourth = ''] = recoveryCodes
    for (const proof of [
      { password, code: '000000' },
      { password: encodePassword('wrong'), code: third },
    ]) {
      expect((await at.post(mei, 'second-factor/remove', proof)).code).not.toBe(200)
      expect((await at.post(mei, 'second-factor/recovery-codes', proof)).code).not.toBe(200)
    }
    const renewed = await at.post(mei, 'second-factor/recovery-codes', { password, code: third })
    const [fresh = ''] = renewed.data['recoveryCodes'] as unknown as string[]
    expect((await login(fourth)).code).toBe(5441)
    expect((await at.post(mei, 'second-factor/remove', { password, code: fresh })).code).toBe(200)
    expect((await login()).code).toBe(200)
  })

  it('that was lost is taken off by the operator', async () => {
    const begun = await at.post(mei, 'second-factor/begin', { password })
    secret = String(begun.data['secret'])
    await at.post(mei, 'second-factor/confirm', { code: codeIn(0) })
    expect((await login()).code).toBe(5440)
    expect(await at.site.cli('user second-factor-off --account mei')).toBe(0)
    expect((await login()).code).toBe(200)
  })
})

describe('passkeys by HTTP', () => {
  const origin = 'https://files.example.org'
  let at: Opened
  let mei: Login
  const phone = softAuthenticator(origin)
  beforeAll(async () => {
    at = await open({ GODWIT_PUBLIC_URL: origin })
    mei = await at.site.signIn('mei')
  })
  afterAll(async () => at[Symbol.asyncDispose]())

  const publicPost = (what: string, json: object = {}) =>
    at.site.ask({ method: 'POST', path: `/api/user/passkeys/${what}`, json })
  const signIn = async (device = phone) => {
    const { challengeId } = (await publicPost('login/begin')).data as unknown as { readonly challengeId: string }
    return publicPost('login/finish', { challengeId, response: device.get(challengeId) })
  }

  it('are made with the password and sign in without it', async () => {
    expect((await at.post(mei, 'passkeys/begin', { password: encodePassword('wrong') })).code).toBe(1023)
    const { options } = (await at.post(mei, 'passkeys/begin', { password })).data as unknown as {
      readonly options: { readonly challenge: string; readonly rp: { readonly id: string } }
    }
    expect(options.rp.id).toBe('files.example.org')
    const made = await at.post(mei, 'passkeys/finish', { name: 'Phone', response: phone.create(options.challenge) })
    expect(made.data['passkey']).toMatchObject({ name: 'Phone' })
    const login = await signIn()
    expect(login.data).toMatchObject({ account: 'mei', userId: mei.userId })
    const token = String(login.data['token'])
    expect((await at.site.ask({ path: '/api/user/info', token })).code).toBe(200)
    const history = (await at.get(mei, 'sign-ins')).data['result'] as unknown as object[]
    expect(history[0]).toMatchObject({ method: 'passkey', result: 'success' })
  })

  it('open no account that is locked (T18)', async () => {
    await at.site.cli('user lock --account mei')
    expect((await signIn()).code).toBe(1050)
    await at.site.cli('user unlock --account mei')
    expect((await signIn()).code).toBe(200)
  })

  it('open no account whose provider is switched off or removed', async () => {
    const device = softAuthenticator(origin)
    const tom = await at.site.signIn('tom')
    const { options } = (await at.post(tom, 'passkeys/begin', { password })).data as unknown as {
      readonly options: { readonly challenge: string }
    }
    await at.post(tom, 'passkeys/finish', { name: 'Phone', response: device.create(options.challenge) })
    await at.site.withDatabase(async ({ db }) => {
      await db.updateTable('users').set({ password_hash: '' }).where('id', '=', tom.userId).execute()
      expect((await signIn(device)).code).toBe(5444)
      const provider = { kind: 'ldap', name: 'Company', name_key: 'company', place: 1, enabled: 1, settings: '{}' }
      const row = { ...provider, id: 7, sealed_secret: '', created_at: 0, revision: 1 }
      await db.insertInto('auth_providers').values(row).execute()
      const link = { user_id: tom.userId, provider_id: 7, external_key: 'x', login: 'tom', locked_by_sync: 0 }
      await db.insertInto('external_accounts').values(link).execute()
      expect((await signIn(device)).code).toBe(200)
      await db.updateTable('auth_providers').set({ enabled: 0 }).where('id', '=', 7).execute()
      expect((await signIn(device)).code).toBe(5444)
    })
  })

  it('show a stranger nothing, whatever is answered (T33)', async () => {
    const begun = await publicPost('login/begin')
    expect(begun.text).not.toContain(phone.credentialId)
    for (const response of [{}, softAuthenticator(origin).get('x'), { id: phone.credentialId }]) {
      expect((await publicPost('login/finish', { challengeId: 'x', response })).code).toBe(5444)
    }
  })

  it('are not offered at an address without a name', async () => {
    await using plain = await open()
    const login = await plain.site.signIn('mei')
    expect((await plain.post(login, 'passkeys/begin', { password })).code).toBe(5443)
  })
})

describe('an API token', () => {
  let at: Opened
  let mei: Login
  beforeAll(async () => {
    at = await open()
    mei = await at.site.signIn('mei')
    await at.site.upload(mei.token, 'kept.txt', Buffer.from('kept'))
  })
  afterAll(async () => at[Symbol.asyncDispose]())

  const READ = PERMISSION.list | PERMISSION.download
  const create = async (permission: number, login = mei, proof = password) =>
    at.post(login, 'api-tokens', { name: 'backup', permission, days: 30, password: proof })
  const tokenOf = async (permission: number) => String((await create(permission)).data['token'])
  const list = (token: string) => at.site.call(token, 'list', { folder: '/' })

  it('is shown once, named, and stored as a hash', async () => {
    const created = await create(READ)
    const token = String(created.data['token'])
    expect(token).toMatch(/^gwt_[\w-]{43}$/)
    expect(created.data['apiToken']).toMatchObject({ name: 'backup', permission: READ | 1 | 8, lastUsedAt: null })
    expect((await at.get(mei, 'api-tokens')).text).not.toContain(token)
    const rows = await at.site.withDatabase(({ db }) => db.selectFrom('api_tokens').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(token)
    await list(token)
    const [listed] = (await at.get(mei, 'api-tokens')).data['tokens'] as unknown as Array<{ lastUsedAt: number | null }>
    expect(listed?.lastUsedAt).not.toBeNull()
  })

  it('asks for the password, and grants no more than the account has', async () => {
    expect((await create(READ, mei, encodePassword('wrong'))).code).toBe(1023)
    await at.site.addUser('reader', { permission: READ })
    const reader = await at.site.signIn('reader')
    expect((await create(READ | PERMISSION.delete, reader)).code).toBe(1008)
    expect((await create(PERMISSION.cwd | PERMISSION.append, reader)).code).toBe(1008)
  })

  it('may what its bits say and nothing else, by HTTP and on the socket (T27)', async () => {
    const token = await tokenOf(READ)
    expect((await list(token)).code).toBe(200)
    expect((await at.site.ask({ path: '/api/files/content?path=/kept.txt', token })).text).toBe('kept')
    expect((await at.site.call(token, 'mkdir', { folder: '/', name: 'x' })).code).toBe(1008)
    expect((await at.site.call(token, 'remove', { paths: ['/kept.txt'] })).code).toBe(1008)
    expect((await at.site.upload(token, 'x', Buffer.from('x'))).code).toBe(1008)
    const socket = await signedInSocket(at.site.url, token)
    const call = async (operation: string, input: object) => (await socket.ask({ type: 'call', operation, input })).code
    expect(await call('list', { folder: '/' })).toBe(200)
    expect(await call('mkdir', { folder: '/', name: 'x' })).toBe(1008)
    const ticket = String((await at.site.call(token, 'ticket', { paths: ['/kept.txt'] })).data['ticket'])
    expect((await at.site.ask({ path: `/api/files/content?ticket=${ticket}` })).text).toBe('kept')
    socket.socket.terminate()
  })

  it('with the bits for it uploads, copies and deletes like its account', async () => {
    const token = await tokenOf(8191)
    const bytes = Buffer.from('by a program')
    expect((await at.site.upload(token, 'made.txt', bytes)).code).toBe(200)
    await at.site.call(token, 'mkdir', { folder: '/', name: 'copies' })
    const { job } = await at.site.runJob(token, 'copy', { paths: ['/made.txt'], target: '/copies' })
    expect(job).toMatchObject({ state: 'completed', failures: [] })
    expect((await at.site.ask({ path: '/api/files/content?path=/copies/made.txt', token })).text).toBe('by a program')
    const removed = await at.site.runJob(token, 'remove', { paths: ['/copies'] })
    expect(removed.job).toMatchObject({ state: 'completed' })
  })

  it('gives the credential of an upload no more than it has, and no longer (T18, T27)', async () => {
    const token = await tokenOf(PERMISSION.list | PERMISSION.upload)
    const begin = async (filename: string) => {
      const json = { folder: '/', filename, size: 6, conflict: 'fail', resume: false }
      const { data } = await at.site.ask({ method: 'POST', path: '/api/uploads', token, json })
      return { path: `/api/uploads/${String(data['uploadId'])}`, grant: String(data['grant']) }
    }
    const send = ({ path, grant }: { path: string; grant: string }) =>
      at.site.ask({ method: 'PUT', path: `${path}/parts/0`, token: grant, body: Buffer.from('theirs') })
    const complete = ({ path, grant }: { path: string; grant: string }, conflict: string) =>
      at.site.ask({ method: 'POST', path: `${path}/complete`, token: grant, json: { conflict } })

    const first = await begin('owned.txt')
    await at.site.upload(mei.token, 'owned.txt', Buffer.from('mine'))
    expect((await send(first)).code).toBe(200)
    expect((await complete(first, 'replace')).code).toBe(1008)
    expect((await at.site.ask({ path: '/api/files/content?path=/owned.txt', token: mei.token })).text).toBe('mine')
    expect((await complete(first, 'keep-both')).code).toBe(200)

    const second = await begin('late.txt')
    const tokens = (await at.get(mei, 'api-tokens')).data['tokens'] as unknown as Array<{ id: string }>
    expect((await at.post(mei, 'api-tokens/remove', { tokenId: tokens[0]?.id })).code).toBe(200)
    expect((await send(second)).code).toBe(1009)
  })

  it('manages nothing of the account: every such door says 1008 (T12, T27)', async () => {
    const token = await tokenOf(8191)
    // Its first use is written down.
    await list(token)
    // The notice of the new token comes in the background.
    const announced = ['notices', 'outbox']
    const before = await at.site.databaseHash(announced)
    const accountDoors = new Set(
      allRoutes()
        .filter(({ spec }) => spec.access === 'session' || typeof spec.access === 'object')
        .map(({ feature, name }) => `${feature}.${name}`),
    )
    const wrong: string[] = []
    for (const { name, question } of doors()) {
      if (!accountDoors.has(name)) continue
      const { code } = await at.site.ask({ ...question, token })
      if (code !== 1008) wrong.push(`${name}: ${code}`)
    }
    expect(wrong).toEqual([])
    expect(accountDoors.size).toBeGreaterThan(20)
    for (const name of [
      'auth.changePassword',
      'auth.updateInfo',
      'security.createApiToken',
      'mail.ownUpdate',
      'notices.list',
    ]) {
      expect(accountDoors).toContain(name)
    }
    const client = await connectScriptedClient({ url: at.site.url, token })
    expect(client.hello.code).toBe(5651)
    expect((await at.site.ask({ method: 'PUT', path: '/api/user/auth', token })).code).toBe(1009)
    expect(await at.site.databaseHash(announced)).toBe(before)
  })

  it('of an administrator is no administrator', async () => {
    const admin = await at.site.signIn('admin')
    const proof = encodePassword(at.site.godwit.administrator.password)
    const token = String((await create(8191, admin, proof)).data['token'])
    const { user } = (await at.site.ask({ path: '/api/user/info', token })).data as unknown as { readonly user: object }
    expect(user).toMatchObject({ account: 'admin', isAdmin: false })
    for (const { spec } of allRoutes().filter(({ spec: { access } }) => typeof access === 'object')) {
      expect((await at.site.ask({ method: spec.method, path: spec.path, token, json: {} })).code).toBe(1008)
    }
  })

  const ENDS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'it is revoked': (tokenId) => at.post(mei, 'api-tokens/remove', { tokenId }),
    'it expires': (id) =>
      at.site.withDatabase(({ db }) =>
        db.updateTable('api_tokens').set({ expires_at: 1 }).where('id', '=', id).execute(),
      ),
    'the account is locked': () => at.site.cli('user lock --account mei'),
  }

  it.each(Object.keys(ENDS))('ends at once when %s, with its sockets and tickets (T18)', async (way) => {
    const created = await create(READ)
    const token = String(created.data['token'])
    const { id } = created.data['apiToken'] as unknown as { readonly id: string }
    const socket = await signedInSocket(at.site.url, token)
    const ticket = String((await at.site.call(token, 'ticket', { paths: ['/kept.txt'] })).data['ticket'])
    await ENDS[way]?.(id)
    expect((await list(token)).code).toBe(1009)
    expect((await at.site.ask({ path: `/api/files/content?ticket=${ticket}` })).code).toBe(5112)
    expect(await socket.closed).toBe(4401)
    await at.site.cli('user unlock --account mei')
    await sleep(SEEN_MS)
    mei = await at.site.signIn('mei')
  })

  it('ends with the password it was made under, whoever changes that (T18)', async () => {
    const token = await tokenOf(READ)
    const newPassword = encodePassword('Moonlight-77')
    await at.site.ask({
      method: 'PUT',
      path: '/api/user/password/update',
      token: mei.token,
      json: { oldPassword: password, newPassword },
    })
    expect((await list(token)).code).toBe(1009)
    mei = await at.site.signIn('mei', 'Moonlight-77')
    const second = String((await create(READ, mei, newPassword)).data['token'])
    expect((await list(second)).code).toBe(200)
  })

  it('with a longer life than its file: less permission of the account counts at once (T30)', async () => {
    const proof = encodePassword('Moonlight-77')
    const token = String((await create(READ, mei, proof)).data['token'])
    await at.site.withDatabase(({ db }) =>
      db.updateTable('users').set({ permission: PERMISSION.list }).where('account', '=', 'mei').execute(),
    )
    expect((await list(token)).code).toBe(200)
    expect((await at.site.ask({ path: '/api/files/content?path=/kept.txt', token })).code).toBe(1008)
  })

  it('is one of twenty at most, and nobody else’s to revoke', async () => {
    const tom = await at.site.signIn('tom')
    const created: Answer[] = []
    for (let made = 0; made < 21; made++) created.push(await create(READ, tom))
    expect(created.filter(({ code }) => code === 200)).toHaveLength(20)
    expect(created.filter(({ code }) => code === 5447)).toHaveLength(1)
    const [one] = (await at.get(tom, 'api-tokens')).data['tokens'] as unknown as Array<{ id: string }>
    expect((await at.post(mei, 'api-tokens/remove', { tokenId: one?.id })).code).toBe(5448)
  })
})
