import fs from 'node:fs'
import path from 'node:path'
import { licenceRoutes } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { licenceCodeHash } from '../../foundation/licence/index.ts'
import { CODE, openIssuer } from '../../foundation/licence/testing/issuers.ts'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

const DAY_MS = 86_400_000
const MISTAKEN_CODE = CODE.replace('7', '8')

describe.each(['sqlite', 'mysql'])('the licence of a site on %s', (dialect) => {
  const issuer = openIssuer()
  let site: Site
  let issued = 0
  const tokens = new Map<string, string>()
  const tokenOf = (who: string): string => tokens.get(who) ?? ''
  beforeAll(async () => {
    site = await openSite({
      ...(dialect === 'mysql' ? { databaseUrl: await mariadbUrl() } : {}),
      env: { GODWIT_LICENCE_ISSUER_KEY: issuer.issuerKey },
    })
    for (const account of ['keeper', 'member']) await site.addUser(account)
    await administer(site, 'keeper', ['licence.edit'])
    for (const who of ['admin', 'keeper', 'member']) tokens.set(who, (await site.signIn(who)).token)
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const show = async () => {
    const { data } = await site.ask({ path: '/api/admin/licence', token: tokenOf('keeper') })
    return licenceRoutes.show.reply.parse(data)
  }
  const install = (json: object, who = 'keeper') =>
    site.ask({ method: 'POST', path: '/api/admin/licence', token: tokenOf(who), json })
  const put = async (body: Parameters<typeof issuer.issue>[0]) => {
    issued += 1
    const id = String(issued).padStart(32, '0')
    const file = issuer.issue({ id, codeHash: licenceCodeHash(id, CODE), ...body })
    expect((await install({ file, code: CODE })).code).toBe(200)
  }
  const remove = () => site.ask({ method: 'POST', path: '/api/admin/licence/remove', token: tokenOf('keeper') })
  const download = async () => {
    const answer = await site.call(tokenOf('member'), 'download', { paths: ['/a'] })
    return answer.code === 200 ? site.ask({ path: String(answer.data['url']) }) : answer
  }

  it('is none at first: every feature of the enterprise edition, for those with the right to see it', async () => {
    expect(await show()).toMatchObject({
      ...{ state: 'none', edition: 'enterprise', licence: null, pending: null, hasIssuer: true },
      ...{ users: { limit: null, used: 2 }, clients: { limit: null }, bandwidthMbps: null },
    })
    expect((await install({ file: issuer.issue(), code: CODE }, 'member')).code).toBe(1008)
  })

  it.each([
    ['no file and no code', () => ({}), 400, 'file', undefined],
    ['what is no licence', () => ({ file: 'hello', code: CODE }), 1093, 'file', 'form'],
    ['another issuer’s', () => ({ file: openIssuer().issue(), code: CODE }), 1093, 'file', 'signature'],
    ['a changed one', () => ({ file: issuer.issue().replace(/eyJ2/, 'eyJ3'), code: CODE }), 1093, 'file', 'signature'],
    [
      'one of another host',
      () => ({ file: issuer.issue({ machine: 'A'.repeat(16) }), code: CODE }),
      1093,
      'file',
      'machine',
    ],
    [
      'one of tomorrow',
      () => ({ file: issuer.issue({ startsAt: Date.now() + DAY_MS }), code: CODE }),
      1093,
      'file',
      'not-started',
    ],
    [
      'an expired one',
      () => ({ file: issuer.issue({ expiresAt: Date.now() - 1 }), code: CODE }),
      1092,
      'file',
      undefined,
    ],
    ['a code of another form', () => ({ file: issuer.issue(), code: 'ABC' }), 5502, 'code', undefined],
    ['another code', () => ({ file: issuer.issue(), code: MISTAKEN_CODE }), 5501, 'code', undefined],
    ['a code without a file that waits', () => ({ code: CODE }), 5501, 'code', undefined],
  ])('refuses %s at its field, and keeps nothing', async (_, json, code, field, reason) => {
    const answer = await install(json())
    expect([answer.code, answer.data['field'], answer.data['reason']]).toEqual([code, field, reason])
    expect(await show()).toMatchObject({ state: 'none', licence: null, pending: null })
  })

  it('waits for its code, may be bound to this installation, and comes and goes without a restart', async () => {
    const { machineCode } = await show()
    expect(machineCode).toMatch(/^[0-9A-Z]{16}$/)
    const file = issuer.issue({ machine: machineCode, expiresAt: Date.now() + 10 * DAY_MS, limits: { users: 50 } })
    expect((await install({ file })).code).toBe(200)
    expect(await show()).toMatchObject({ state: 'none', pending: { edition: 'pro', isBound: true, activatedAt: null } })
    expect((await install({ code: MISTAKEN_CODE })).code).toBe(5501)
    expect((await install({ code: CODE.toLowerCase() })).code).toBe(200)
    expect(await show()).toMatchObject({
      ...{ state: 'expiring', edition: 'pro', pending: null, users: { limit: 50, used: 2 } },
      licence: { holder: 'Example Ltd', daysLeft: 9, installedBy: 'keeper' },
    })
    await remove()
    expect(await show()).toMatchObject({ state: 'none', edition: 'enterprise', licence: null })
  })

  it('allows as many users as it says, and no more come at once', async () => {
    await put({ limits: { users: 4 } })
    const add = (account: string) =>
      site.ask({
        method: 'POST',
        path: '/api/admin/users',
        token: tokenOf('admin'),
        json: { account, password: Buffer.from('Sunrise-42x').toString('base64') },
      })
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(add))
    expect(answers.map(({ code }) => code).toSorted((a = 0, b = 0) => a - b)).toEqual([200, 200, 5505, 5505])
    expect(answers.find(({ code }) => code === 5505)?.data['limit']).toBe(4)
    await expect(site.addUser('five')).rejects.toThrow('4 users at most')
    expect((await show()).users).toEqual({ limit: 4, used: 4 })
    await remove()
  })

  it('has the features of its edition, and the server refuses the others', async () => {
    await put({ edition: 'pro' })
    await site.upload(tokenOf('member'), 'a', Buffer.from('hello'))
    const refused = await site.call(tokenOf('member'), 'preview', { path: '/a' })
    expect([refused.code, refused.data['feature']]).toEqual([5504, 'preview'])
    const hook = { name: 'x', url: 'https://example.org/', events: ['file.committed'] }
    const call = { method: 'POST', path: '/api/admin/hooks', token: tokenOf('admin'), json: hook }
    expect((await site.ask(call)).code).toBe(5504)
    expect((await site.ask({ ...call, token: tokenOf('member') })).code).toBe(1008)
    expect((await site.ask({ path: '/api/website/info' })).data).toMatchObject({ edition: 'pro', actived: 1 })
    await put({ edition: 'enterprise' })
    expect((await site.call(tokenOf('member'), 'preview', { path: '/a' })).code).toBe(200)
    await remove()
  })

  it('lets nothing of an enterprise be set by another edition, and what was set before be taken back', async () => {
    const send = (path: string, json: object, method = 'PATCH') =>
      site.ask({ method, path: `/api/admin/${path}`, token: tokenOf('admin'), json })
    const refusal = async (answer: ReturnType<typeof send>) => {
      const { code, data } = await answer
      return code === 200 ? 'done' : [code, data['feature'], data['field']]
    }
    const set = (path: string, key: string, from: unknown, value: unknown) =>
      refusal(send(path, { changes: [{ key, from, value }] }))
    const added = await send('users', { account: 'guarded', password: 'U3VucmlzZS00Mng=' }, 'POST')
    const { id } = added.data['user'] as unknown as { readonly id: string }
    const login = (revision: number, loginAddresses: string) =>
      refusal(send(`users/${id}`, { revision, loginAddresses }))
    const deny = (revision: number, deniedAddresses: string) => refusal(send('spaces/1', { revision, deniedAddresses }))

    expect(await set('security/settings', 'security.deniedAddresses', '', '203.0.113.1')).toBe('done')
    expect(await login(1, '198.51.100.0/24')).toBe('done')
    expect(await deny(1, '203.0.113.1')).toBe('done')
    await put({ edition: 'pro' })

    const lists = (field: string) => [5504, 'addressLists', field]
    const key = 'security.deniedAddresses'
    expect(await set('security/settings', key, '203.0.113.1', '203.0.113.2')).toEqual(lists(key))
    expect(await set('settings', 'watermark.on', 0, 1)).toEqual([5504, 'watermark', 'watermark.on'])
    expect(await set('settings', 'transSyncSwitch', 0, 1)).toEqual([5504, 'sync', 'transSyncSwitch'])
    expect(await login(2, '198.51.100.1')).toEqual(lists('loginAddresses'))
    expect(await deny(2, '203.0.113.2')).toEqual(lists('deniedAddresses'))
    const another = { account: 'another', password: 'U3VucmlzZS00Mng=', loginAddresses: '198.51.100.1' }
    expect(await refusal(send('users', another, 'POST'))).toEqual(lists('loginAddresses'))
    const transfer = { sync: 'change' }
    expect(await refusal(send(`users/${id}`, { revision: 2, transfer }))).toEqual([5504, 'sync', 'transfer.sync'])

    // The same list again is no change.
    expect([await login(2, '198.51.100.0/24'), await deny(2, '203.0.113.1')]).toEqual(['done', 'done'])
    expect(await set('security/settings', key, '203.0.113.1', '')).toBe('done')
    expect([await login(3, ''), await deny(3, '')]).toEqual(['done', 'done'])
    await remove()
  })

  it('that has expired closes transfers, and nothing else', async () => {
    await put({ expiresAt: Date.now() + DAY_MS })
    await site.withDatabase(async ({ db }) => {
      const expired = issuer.issue({ expiresAt: Date.now() - 1 })
      await db.updateTable('licences').set({ file: expired }).where('state', '=', 'in-force').execute()
    })
    await vi.waitFor(async () => expect((await download()).code).toBe(1092), { timeout: 10_000, interval: 200 })
    expect((await site.upload(tokenOf('member'), 'b', Buffer.from('hello'))).code).toBe(1092)
    expect((await site.call(tokenOf('member'), 'list', { folder: '/' })).code).toBe(200)
    expect((await site.ask({ path: '/api/website/info' })).data).toMatchObject({ actived: 0 })
    await remove()
  })

  it('of the traffic edition counts what passes up and down, and ends with its last byte', async () => {
    const content = Buffer.alloc(300_000, 7)
    await put({ edition: 'traffic', limits: { users: null, trafficBytes: 1_000_000 } })
    expect((await site.upload(tokenOf('member'), 'film', content)).code).toBe(200)
    const get = async () => {
      const ticket = await site.call(tokenOf('member'), 'download', { paths: ['/film'] })
      return ticket.code === 200 ? site.ask({ path: String(ticket.data['url']) }) : ticket
    }
    expect((await get()).body.length).toBe(content.length)
    await vi.waitFor(
      async () => expect((await show()).traffic).toMatchObject({ usedBytes: 600_000, leftBytes: 400_000 }),
      { timeout: 10_000, interval: 200 },
    )
    expect((await get()).body.length).toBe(content.length)
    // What is left does not cover another one: nothing passes any more, whichever way.
    await get().catch(() => undefined)
    expect((await show()).traffic.usedBytes).toBeLessThanOrEqual(1_000_000)
    expect((await site.upload(tokenOf('member'), 'more', content)).code).toBe(5507)
    await remove()
  })

  it('is issued, installed, shown and removed at the shell', async () => {
    const key = path.join(site.data, 'issuer.pem')
    const file = path.join(site.data, 'made.licence')
    expect(await site.cli(`licence key --key-file ${key}`)).toBe(0)
    expect(fs.statSync(key).mode & 0o777).toBe(0o600)
    expect(site.printed()).toMatch(/GODWIT_LICENCE_ISSUER_KEY=MCowBQYDK2VwAyEA/)
    expect(await site.cli(`licence issue --key-file ${key} --edition gold --holder X --out ${file}`)).toBe(2)
    expect(
      await site.cli(`licence issue --key-file ${key} --edition traffic --holder X --days 30 --users 7 --out ${file}`),
    ).toBe(0)
    // It is of another issuer than the one this server knows.
    expect(await site.cli(`licence install --file ${file} --code ${CODE}`)).toBe(5)
    fs.writeFileSync(file, issuer.issue({ id: 'cd'.repeat(16), codeHash: '0'.repeat(64) }))
    expect(await site.cli(`licence install --file ${file}`)).toBe(0)
    expect(await site.cli('licence show')).toBe(0)
    expect(site.printed()).toContain('waiting     pro for Example Ltd')
    expect(await site.cli('licence remove')).toBe(0)
    expect(await site.cli('licence remove')).toBe(4)
  })
})
