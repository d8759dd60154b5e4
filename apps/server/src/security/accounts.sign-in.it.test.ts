import { encodePassword } from '@godwit/contract'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { softAuthenticator } from '../testing/authenticators.ts'
import { openAccounts, password, type Accounts } from './testing/accounts.ts'
import { signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

describe('where an account is signed in', () => {
  let at: Accounts
  beforeAll(async () => {
    at = await openAccounts()
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
  let at: Accounts
  let mei: Login
  let secret = ''
  let recoveryCodes: string[] = []
  beforeAll(async () => {
    at = await openAccounts()
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
  let at: Accounts
  let mei: Login
  const phone = softAuthenticator(origin)
  beforeAll(async () => {
    at = await openAccounts({ GODWIT_PUBLIC_URL: origin })
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
    await using plain = await openAccounts()
    const login = await plain.site.signIn('mei')
    expect((await plain.post(login, 'passkeys/begin', { password })).code).toBe(5443)
  })
})
