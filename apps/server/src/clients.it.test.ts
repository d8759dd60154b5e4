import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { transferPassword } from './kernel/crypto/index.ts'
import { encodePassword, errorSpec, UPGRADE_ERRORS, UPGRADE_FAULTS, UPGRADE_REFUSALS } from '@godwit/contract'
import { connectScriptedClient, type ScriptedClientOptions } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from './security/testing/sites.ts'
import { openSocket, signedInSocket, type TestSocket } from './security/testing/sockets.ts'
import type { Login } from './security/testing/wire.ts'

/** A change of the settings by the command is seen within this time. */
const SEEN_MS = 1_100

describe('the desktop client and its pages', () => {
  let site: Site
  let mei: Login
  let page: TestSocket

  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'tom']) await site.addUser(account)
    await site.cli('space add Laboratory')
    await site.cli('space assign --space 2 --account mei')
    mei = await site.signIn('mei')
    page = await signedInSocket(site.url, mei.token)
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const connect = (options: Partial<ScriptedClientOptions> = {}) =>
    connectScriptedClient({ url: site.url, token: mei.token, ...options })
  const post = (what: string, json: object = {}) =>
    site.ask({ method: 'POST', path: `/api/user/client/${what}`, token: mei.token, json })
  const view = async (token = mei.token) => (await site.ask({ path: '/api/user/client', token })).data['client']
  const set = async (...settings: readonly string[]) => {
    for (const words of settings) await site.cli(`site set ${words}`)
    await sleep(SEEN_MS)
  }
  /** What the page was told about the client, after everything said so far arrived. */
  const told = async () => {
    await page.ask({ type: 'ping' })
    return (page.events as Array<{ event: string; client: { state: string } }>)
      .filter(({ event }) => event === 'client.changed')
      .map(({ client }) => client.state)
  }

  it('notifies every page of the account when it comes, gets ready and goes, and counts it in service info', async () => {
    expect(await view()).toMatchObject({ state: 'none', version: '' })
    const client = await connect({ ready: false, deviceName: 'Laptop of Mei' })
    expect(client.hello).toMatchObject({ code: 200, data: { client: { state: 'starting' } } })
    expect(await client.status(true)).toBe(200)
    expect(await view()).toMatchObject({
      state: 'connected',
      version: '1.0.0',
      deviceName: 'Laptop of Mei',
      spaceId: 1,
    })
    expect((await site.ask({ path: '/api/service/info' })).data['client_online']).toBe(1)
    await client.close()
    await expect.poll(() => view()).toMatchObject({ state: 'none' })
    expect(await told()).toEqual(['starting', 'connected', 'none'])
    expect((await site.ask({ path: '/api/service/info' })).data['client_online']).toBe(0)
  })

  it('reports nothing of it to another account (T28)', async () => {
    const tom = await site.signIn('tom')
    const other = await signedInSocket(site.url, tom.token)
    const client = await connect()
    expect(await view(tom.token)).toMatchObject({ state: 'none' })
    await other.ask({ type: 'ping' })
    expect(JSON.stringify(other.events)).not.toContain('client.')
    const steer = await site.ask({ method: 'POST', path: '/api/user/client/upgrade', token: tom.token, json: {} })
    expect([steer.code, client.commands]).toEqual([5917, []])
    await client.close()
  })

  it('changes the space when the page asks, and says whether it did', async () => {
    expect((await post('space', { spaceId: 2 })).code).toBe(5917)
    const client = await connect()
    expect((await post('space', { spaceId: 2 })).data).toEqual({ success: true })
    expect(client.commands).toEqual([{ name: 'setSpace', spaceId: 2 }])
    expect(await view()).toMatchObject({ spaceId: 2 })
    client.obey('no')
    expect((await post('space', { spaceId: 1 })).data).toEqual({ success: false })
    expect(await view()).toMatchObject({ spaceId: 2 })
    expect((await post('space', { spaceId: 3 })).code).toBe(4084)
    await client.close()
  })

  it('fails a command when it hangs up instead of answering', async () => {
    const client = await connect()
    client.obey('silent')
    const asked = post('upgrade')
    await expect.poll(() => client.commands.length).toBe(1)
    await client.close()
    expect((await asked).code).toBe(5917)
  })

  it('of an old version works in the first space only, and is offered the upgrade', async () => {
    await set('clientSpaceVersion 1.5.0', 'clientUpgradeVersion 2.0.0')
    const client = await connect({ version: '1.4.9' })
    expect(await view()).toMatchObject({ state: 'update-available', canChangeSpace: false, upgradeVersion: '2.0.0' })
    const refused = await post('space', { spaceId: 2 })
    expect([refused.code, refused.data]).toMatchObject([5508, { version: '1.4.9', minVersion: '1.5.0' }])
    expect((await post('space', { spaceId: 1 })).data).toEqual({ success: true })
    expect((await post('upgrade')).code).toBe(200)
    client.obey('no')
    expect((await post('upgrade')).code).toBe(5916)
    const refusals = { 'by-hand': 6206, untrusted: 6207, 'not-newer': 6208, failed: 5916 } as const
    for (const refusal of ['by-hand', 'untrusted', 'not-newer', 'failed'] as const) {
      client.refuse(refusal)
      expect((await post('upgrade')).code).toBe(refusals[refusal])
    }
    await client.close()
  })

  it('says why an upgrade did not come about, and its pages are notified at once, until it did', async () => {
    const client = await connect({ version: '1.4.9' })
    expect(await view()).toMatchObject({ upgradeFailure: null })
    for (const reason of [...UPGRADE_REFUSALS, ...UPGRADE_FAULTS]) {
      expect(await client.upgraded({ version: '2.0.0', reason })).toBe(200)
      const upgradeFailure = { version: '2.0.0', code: errorSpec(UPGRADE_ERRORS[reason]).wire }
      expect(await view()).toMatchObject({ upgradeFailure })
      await page.ask({ type: 'ping' })
      expect(page.events.at(-1)).toMatchObject({ event: 'client.changed', client: { upgradeFailure } })
    }
    expect(await client.upgraded(null)).toBe(200)
    expect(await view()).toMatchObject({ upgradeFailure: null })
    await client.close()
  })

  it('is told to upgrade itself, once, where the site wants that and has accepted what it means', async () => {
    await set('clientUpgradeVersion 2.0.0', 'autoUpdateTerms 1', 'autoUpdateSwitch 1')
    const [older, newest] = [
      await connect({ version: '1.9.0', deviceId: 'older-client' }),
      await connect({ version: '2.0.0', deviceId: 'newest-client' }),
    ]
    const told = { name: 'upgrade', version: '2.0.0', isAuto: true }
    await expect.poll(() => older.commands, { timeout: 20_000 }).toEqual([told])
    // The next round, which a client that came meanwhile is told in, tells the first one nothing again.
    const later = await connect({ version: '1.8.0', deviceId: 'later-client' })
    await expect.poll(() => later.commands, { timeout: 20_000 }).toEqual([told])
    expect([older.commands, newest.commands]).toEqual([[told], []])
    await set('autoUpdateSwitch 0')
    for (const client of [older, newest, later]) await client.close()
  }, 60_000)

  it('below the least version is outdated and takes the upgrade alone', async () => {
    await set('clientMinVersion 1.2.0')
    const client = await connect({ version: '1.1.0' })
    expect(client.hello.code).toBe(200)
    expect(await view()).toMatchObject({ state: 'outdated' })
    expect((await post('space', { spaceId: 1 })).code).toBe(5509)
    expect((await post('upgrade')).code).toBe(200)
    expect(client.commands).toEqual([{ name: 'upgrade', version: '2.0.0', isAuto: false }])
    await client.close()
    await set('clientMinVersion 1.0.0')
  })

  it('may be three at once in the free edition; the fourth is refused 5506 and its page is notified', async () => {
    await set('edition free')
    const devices = ['device-1', 'device-2', 'device-3']
    const three = await Promise.all(devices.map(async (deviceId) => connect({ deviceId })))
    expect(three.map(({ hello }) => hello.code)).toEqual([200, 200, 200])
    const fourth = await connect({ deviceId: 'device-4' })
    expect(fourth.hello.code).toBe(5506)
    expect(await fourth.closed).toBe(4429)
    await page.ask({ type: 'ping' })
    const refusals = (page.events as Array<{ event: string }>).filter(({ event }) => event === 'client.refused')
    expect(refusals).toMatchObject([{ code: 5506, data: { limit: 3 } }])
    const again = await connect({ deviceId: 'device-3' })
    expect(again.hello.code).toBe(200)
    for (const client of [...three, again]) await client.close()
    await set('edition enterprise')
  })

  it('signs in with user id and derived password, and with nothing else (T12)', async () => {
    const hash = createHash('sha256').update(mei.token).digest('hex')
    const client = await connectScriptedClient({
      url: site.url,
      username: mei.userId,
      password: transferPassword(hash),
    })
    expect(client.hello.code).toBe(200)
    await client.close()
    await expect.poll(() => view()).toMatchObject({ state: 'none' })
    const tom = await site.signIn('tom')
    const wrong: Array<readonly [string | undefined, string | undefined, string | undefined]> = [
      [undefined, undefined, undefined],
      ['', undefined, undefined],
      ['x'.repeat(43), undefined, undefined],
      [mei.refresh, undefined, undefined],
      [undefined, tom.userId, transferPassword(hash)],
      [undefined, mei.userId, hash],
      [undefined, mei.userId, mei.token],
      [undefined, mei.userId, ''],
    ]
    for (const [token, username, password] of wrong) {
      const stranger = await connect({ token, username, password } as Partial<ScriptedClientOptions>)
      expect([stranger.hello.code === 200, await stranger.closed]).toEqual([false, 4401])
    }
    expect(await view()).toMatchObject({ state: 'none' })
  })

  it('the derived credential opens no door by HTTP and no account route (T12)', async () => {
    const password = transferPassword(createHash('sha256').update(mei.token).digest('hex'))
    expect((await site.ask({ path: '/api/user/info', token: password })).code).toBe(1009)
    expect((await site.ask({ path: '/api/user/client', token: password })).code).toBe(1009)
  })

  it('is driven by no foreign page (T43)', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      await expect(openSocket(site.url, { origin }, '/ws/client')).rejects.toThrow('403')
    }
  })

  it('is let go after what it may not say', async () => {
    for (const said of [
      '{',
      '[]',
      '{"type":"done","id":1}',
      '{"type":"status","id":1,"ready":"yes"}',
      'x'.repeat(5_000),
    ]) {
      const socket = await openSocket(site.url, {}, '/ws/client')
      socket.socket.send(said)
      expect(await socket.closed).toBe(4400)
    }
    const stranger = await openSocket(site.url, {}, '/ws/client')
    expect((await stranger.ask({ type: 'status', ready: true })).code).toBe(1009)
    stranger.socket.terminate()
  })

  it.each([
    [
      'signing out',
      'signed-out',
      async (login: Login) => site.ask({ method: 'POST', path: '/api/user/logout', token: login.token }),
    ],
    [
      'signing out everywhere',
      'elsewhere',
      async (login: Login) => site.ask({ method: 'POST', path: '/api/user/logout/all', token: login.token }),
    ],
    ['a lock by the command', 'locked', async () => site.cli('user lock --account tom')],
    [
      'a changed password',
      'password-changed',
      async (login: Login) => {
        const json = { oldPassword: encodePassword(PASSWORD), newPassword: encodePassword('Moonlight-77') }
        await site.ask({ method: 'PUT', path: '/api/user/password/update', token: login.token, json })
      },
    ],
  ] as const)('%s closes client and page with the reason %s (T18)', async (_, reason, end) => {
    await site.cli('user unlock --account tom')
    const tom = await site.signIn('tom')
    const client = await connectScriptedClient({ url: site.url, token: tom.token })
    const open = await signedInSocket(site.url, tom.token)
    await end(tom)
    expect(await Promise.all([client.closed, open.closed])).toEqual([4401, 4401])
    expect(client.events).toEqual([{ type: 'event', event: 'session.ended', reason }])
    expect(open.events.at(-1)).toEqual({ type: 'event', event: 'session.ended', reason })
    await site.cli('user unlock --account tom')
  })
})

describe('installers of the desktop client', () => {
  let site: Site
  let mei: Login
  const folder = () => path.join(site.data, 'clients')

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('mei')
    mei = await site.signIn('mei')
    fs.mkdirSync(folder())
    fs.writeFileSync(path.join(folder(), 'godwit-client.deb'), 'a package')
    fs.writeFileSync(path.join(folder(), 'godwit-client.exe'), 'another')
    fs.writeFileSync(path.join(folder(), 'secret.rpm'), 'not for anyone')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const ticket = async (type: string, token = mei.token) =>
    site.ask({ method: 'POST', path: '/api/user/client/ticket', token, json: { type } })

  it('are listed in site info, and come by a ticket of their own', async () => {
    expect((await site.ask({ path: '/api/website/info' })).data['clientPackages']).toEqual(['exe', 'deb'])
    const { url } = (await ticket('deb')).data as unknown as { readonly url: string }
    const answer = await site.ask({ path: url })
    expect(answer.text).toBe('a package')
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment; filename=godwit-client.deb',
      'x-content-type-options': 'nosniff',
    })
  })

  it('come in parts, so that what was interrupted goes on at its byte', async () => {
    const { url } = (await ticket('deb')).data as unknown as { readonly url: string }
    const rest = await site.ask({ path: url, headers: { range: 'bytes=2-' } })
    expect([rest.status, rest.text, rest.headers['content-range']]).toEqual([206, 'package', 'bytes 2-8/9'])
    const past = await site.ask({ path: url, headers: { range: 'bytes=9-' } })
    expect([past.code, past.headers['content-range']]).toEqual([5111, 'bytes */9'])
  })

  it('stand beside what their makers signed, which comes as it is, or not at all', async () => {
    const ask = () => site.ask({ path: '/api/user/client/release', token: mei.token })
    expect((await ask()).code).toBe(5921)
    const file = path.join(folder(), 'release.json')
    for (const broken of ['{', '{"release":1}', '']) {
      fs.writeFileSync(file, broken)
      expect((await ask()).code).toBe(5921)
    }
    const signed = { release: '{"format":1}', signature: 'c2lnbmVk' }
    fs.writeFileSync(file, JSON.stringify(signed))
    expect((await ask()).data).toEqual(signed)
    expect((await site.ask({ path: '/api/user/client/release' })).code).toBe(1009)
  })

  it('come by no login token, no ticket of another kind and no ticket of another type', async () => {
    const deb = String((await ticket('deb')).data['ticket'])
    await site.upload(mei.token, 'a', Buffer.from('x'))
    const file = String((await site.call(mei.token, 'ticket', { paths: ['/a'] })).data['ticket'])
    const refused = [
      `/download/deb?token=${mei.token}`,
      `/download/deb?token=${file}`,
      `/download/exe?token=${deb}`,
      '/download/deb?token=',
      '/download/deb',
    ]
    for (const asked of refused) expect((await site.ask({ path: asked, token: mei.token })).code).toBe(5112)
    expect((await site.ask({ path: `/api/files/content?ticket=${deb}` })).code).toBe(5112)
  })

  it('end with the session that asked for them (T18)', async () => {
    const login = await site.signIn('mei')
    const { url } = (await ticket('deb', login.token)).data as unknown as { readonly url: string }
    await site.ask({ method: 'POST', path: '/api/user/logout', token: login.token })
    expect((await site.ask({ path: url })).code).toBe(5112)
  })

  it('that are missing are answered 5921, as a page to a browser in its language', async () => {
    expect((await ticket('dmg')).code).toBe(5921)
    const { url } = (await ticket('exe')).data as unknown as { readonly url: string }
    fs.rmSync(path.join(folder(), 'godwit-client.exe'))
    const asked = await site.ask({ path: url })
    expect([asked.status, asked.code]).toEqual([404, 5921])
    const headers = { accept: 'text/html,*/*', 'accept-language': 'zh-CN' }
    const page = await site.ask({ path: url, headers })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.text).toContain('服务器上还没有这个安装包')
    expect(page.text).toContain('5921')
  })

  it('have exactly four names, whatever is asked for (T01, T02)', async () => {
    const { ticket: held } = (await ticket('deb')).data as unknown as { readonly ticket: string }
    for (const type of ['..', '%2e%2e', 'rpm%2f..%2fsecret.rpm', 'DEB', 'deb%00', '..%5c..%5cgodwit.db', 'tar']) {
      const answer = await site.ask({ path: `/download/${type}?token=${held}` })
      expect([answer.text.includes('not for anyone'), answer.text.includes('a package')]).toEqual([false, false])
    }
    fs.symlinkSync(path.join(site.data, 'godwit.db'), path.join(folder(), 'godwit-client.rpm'))
    expect((await ticket('rpm')).code).toBe(5921)
  })
})
