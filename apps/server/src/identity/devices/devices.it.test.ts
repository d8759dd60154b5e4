import { systemClock } from '@godwit/base'
import { connectScriptedClient } from '@godwit/testkit'
import { encodePassword, ERRORS, FULL_PERMISSION, USER_CODE_LETTERS } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'
import type { Answer } from '../../security/testing/wire.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { createConnectedDevices } from './connected-device.ts'

const PROGRAM = { name: 'Laptop of Mei', platform: 'linux', version: '1.2.3' }

describe('a sign-in by a code', () => {
  let site: Site
  let mei = ''
  let admin = ''
  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'tom']) await site.addUser(account)
    mei = (await site.signIn('mei')).token
    admin = (await site.signIn('admin', site.godwit.administrator.password)).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const post = (path: string, json: object, token?: string): Promise<Answer> =>
    site.ask({ method: 'POST', path: `/api/${path}`, json, ...(token === undefined ? {} : { token }) })
  const begin = async (): Promise<Record<'deviceCode' | 'userCode' | 'path', string>> =>
    (await post('device-login', PROGRAM)).data
  const poll = async (deviceCode: string): Promise<Record<'state' | 'token' | 'account', string>> =>
    (await post('device-login/token', { deviceCode })).data
  const decide = (userCode: string, isAllowed: boolean, token = mei, password = PASSWORD): Promise<Answer> =>
    post('user/device-login/decide', { userCode, isAllowed, password: encodePassword(password) }, token)

  it('shows a code of plain letters and lets the program in once a person confirmed it with the password', async () => {
    const { deviceCode, userCode, path } = await begin()
    expect(userCode).toMatch(new RegExp(`^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$`))
    expect(path).toContain(userCode)
    expect(await poll(deviceCode)).toEqual({ state: 'pending', token: '', account: '' })
    const { data } = await post('user/device-login', { userCode: ` ${userCode.toLowerCase()} ` }, mei)
    expect(data).toMatchObject({ request: { ...PROGRAM, address: '127.0.0.1' } })
    expect((await decide(userCode, true, mei, 'wrong-Password-1')).code).toBe(ERRORS.OLD_PASSWORD_WRONG.wire)
    expect((await poll(deviceCode)).state).toBe('pending')
    expect((await decide(userCode, true)).code).toBe(200)
    // It is decided: nobody takes it over or back.
    expect((await decide(userCode, false)).code).toBe(ERRORS.DEVICE_CODE_INVALID.wire)
    const asked = await Promise.all([poll(deviceCode), poll(deviceCode)])
    expect(asked.map(({ state }) => state).toSorted()).toEqual(['expired', 'granted'])
    const granted = asked.find(({ state }) => state === 'granted')
    expect(granted).toMatchObject({ account: 'mei' })
    expect((await site.ask({ path: '/api/transfers', token: granted?.token ?? '' })).code).toBe(200)

    // Administrators see the device, and its sign-out ends the token.
    const list = async (text: string) =>
      (await site.ask({ path: `/api/admin/clients?text=${text}`, token: admin })).data
    const found = await list('laptop')
    expect(found).toMatchObject({ total: 1, rows: [{ ...PROGRAM, account: 'mei', address: '127.0.0.1' }] })
    await post('user/device', { ...PROGRAM, version: '2.0.0' }, granted?.token)
    const after = (await list('mei')) as unknown as { readonly rows: ReadonlyArray<{ id: string; version: string }> }
    expect(after.rows).toMatchObject([{ version: '2.0.0' }])
    const deviceIds = after.rows.map(({ id }) => id)
    expect((await post('admin/clients/sign-out', { deviceIds }, admin)).data).toEqual({ ended: 1 })
    expect((await site.ask({ path: '/api/transfers', token: granted?.token ?? '' })).code).not.toBe(200)
    expect(await list('mei')).toMatchObject({ total: 0 })
    expect((await post('admin/clients/sign-out', { deviceIds }, admin)).code).toBe(ERRORS.SESSION_NOT_FOUND.wire)
  })

  it('is refused in the browser, and a code that nobody waits with opens nothing', async () => {
    const { deviceCode, userCode } = await begin()
    expect((await decide(userCode, false)).code).toBe(200)
    expect((await poll(deviceCode)).state).toBe('denied')
    expect((await poll('unknown')).state).toBe('expired')
    for (const wrong of ['', 'BCDF', 'BCDF-GHJK', "' or 1=1"])
      expect((await post('user/device-login', { userCode: wrong }, mei)).code).toBe(ERRORS.DEVICE_CODE_INVALID.wire)
  })

  it('ends with a new password between the confirmation and the token, and with its time', async () => {
    const tom = (await site.signIn('tom')).token
    const first = await begin()
    expect((await decide(first.userCode, true, tom)).code).toBe(200)
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ password_hash: 'changed' }).where('account', '=', 'tom').execute(),
    )
    expect(await poll(first.deviceCode)).toEqual({ state: 'expired', token: '', account: '' })
    const second = await begin()
    await site.withDatabase(({ db }) => db.updateTable('device_logins').set({ expires_at: 1 }).execute())
    expect((await poll(second.deviceCode)).state).toBe('expired')
    expect((await decide(second.userCode, true)).code).toBe(ERRORS.DEVICE_CODE_INVALID.wire)
  })

  it('is signed out by the device itself, and a session in a browser is no device', async () => {
    const { deviceCode, userCode } = await begin()
    await decide(userCode, true)
    const { token } = await poll(deviceCode)
    expect((await post('user/device/sign-out', {}, token)).data).toEqual({ isSignedOut: true })
    expect((await site.ask({ path: '/api/transfers', token })).code).not.toBe(200)
    expect((await post('user/device/sign-out', {}, mei)).data).toEqual({ isSignedOut: false })
    await post('user/device', PROGRAM, mei)
    expect((await site.ask({ path: '/api/admin/clients', token: admin })).data).toMatchObject({ total: 0 })
  })

  it('opens the client socket with its token, with no token of another kind, and only while the token counts', async () => {
    const granted = async (): Promise<string> => {
      const { deviceCode, userCode } = await begin()
      await decide(userCode, true)
      return (await poll(deviceCode)).token
    }
    const state = async (): Promise<unknown> =>
      (await site.ask({ path: '/api/user/client', token: mei })).data['client']
    const wanted = { name: 'own', permission: FULL_PERMISSION, days: 1, password: encodePassword(PASSWORD) }
    const own = String((await post('user/api-tokens', wanted, mei)).data['token'])
    // That it calls itself a device makes it none.
    await post('user/device', PROGRAM, own)
    const stranger = await connectScriptedClient({ url: site.url, token: own })
    expect([stranger.hello.code, await stranger.closed]).toEqual([ERRORS.CLIENT_CODE_REQUIRED.wire, 4401])

    const first = await granted()
    await post('user/device', PROGRAM, first)
    // Administrators see what runs now, and why it is not what it was to become, also when it is gone again.
    const listed = async (): Promise<unknown> => {
      const { data } = await site.ask({ path: '/api/admin/clients?text=mei', token: admin })
      return (data as unknown as { readonly rows: readonly unknown[] }).rows[0]
    }
    expect(await listed()).toMatchObject({ isConnected: false })
    const client = await connectScriptedClient({ url: site.url, token: first })
    expect(client.hello.code).toBe(200)
    expect(await state()).toMatchObject({ state: 'connected' })
    expect(await listed()).toMatchObject({ isConnected: true })
    await client.upgraded({ version: '1.9.0', reason: 'altered' })
    const failure = { version: '1.9.0', code: ERRORS.CLIENT_UPGRADE_ALTERED.wire }
    expect(await listed()).toMatchObject({ version: '1.0.0', upgradeFailure: failure })
    await client.upgraded(null)
    expect(await listed()).toMatchObject({ upgradeFailure: null })
    // A node that died vouches for nobody any more; one that lives does.
    const vouched = { connected_until: 1 }
    await site.withDatabase(({ db }) => db.updateTable('client_devices').set(vouched).execute())
    expect(await listed()).toMatchObject({ isConnected: false })
    await site.withDatabase(async ({ db }) => {
      const tokens = await db.selectFrom('client_devices').select('api_token_id as apiTokenId').execute()
      const principals = tokens.map((token) => ({ ...userPrincipal(), ...token, kind: 'api-token' }) as const)
      await createConnectedDevices({ db, clock: systemClock }).connected(principals)
    })
    expect(await listed()).toMatchObject({ isConnected: true })
    await post('user/device/sign-out', {}, first)
    expect(await client.closed).toBe(4401)
    expect(client.events).toEqual([{ type: 'event', event: 'session.ended', reason: 'revoked' }])
    await expect.poll(state).toMatchObject({ state: 'none' })

    const second = await connectScriptedClient({ url: site.url, token: await granted() })
    expect(second.hello.code).toBe(200)
    await site.cli('user lock --account mei')
    expect(await second.closed).toBe(4401)
    expect(second.events).toMatchObject([{ event: 'session.ended', reason: 'locked' }])
    await site.cli('user unlock --account mei')
    mei = (await site.signIn('mei')).token
  })

  it('is not tried or begun without end', async () => {
    const answers: number[] = []
    for (let at = 0; at < 40; at++)
      answers.push((await post('user/device-login', { userCode: 'BCDF-GHJK' }, mei)).status)
    expect(answers).toContain(429)
    const begun: number[] = []
    for (let at = 0; at < 40; at++) begun.push((await post('device-login', PROGRAM)).status)
    expect(begun).toContain(429)
  })
})
