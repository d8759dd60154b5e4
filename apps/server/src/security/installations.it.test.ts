import fs from 'node:fs'
import path from 'node:path'
import { encodePassword } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { launchMariadb } from '@godwit/testkit'
import { secureRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { newToken, VAULT_KEY } from '../kernel/crypto/index.ts'
import { doors } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'

const NO_ADMINISTRATOR = { GODWIT_ADMIN_ACCOUNT: '', GODWIT_ADMIN_PASSWORD: '' }

function setupTokenIn(site: Site): string {
  return /One-time set-up token: (\S+)/.exec(site.godwit.output())?.[1] ?? ''
}

function setUp(site: Site, token: string, account: string, at = '/api/setup') {
  const json = { token, account, email: '', password: encodePassword('Sunrise-42x') }
  return site.ask({ method: 'POST', path: at, json })
}

async function accountsOf(site: Site): Promise<number> {
  return site.withDatabase(async ({ db }) => (await db.selectFrom('users').select('id').execute()).length)
}

describe('the first administrator', () => {
  it('is made once, however many hold the token at the same time (T14, T47)', async () => {
    await using site = await openSite({ env: NO_ADMINISTRATOR })
    const token = setupTokenIn(site)
    expect((await setUp(site, 'x'.repeat(43), 'intruder')).code).toBe(5003)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => setUp(site, token, `admin${index}`)))
    expect(answers.map(({ text }) => text).filter((text) => !text.includes('"code":5002,'))).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await accountsOf(site)).toBe(1)
    expect((await setUp(site, token, 'second')).code).toBe(5002)
  })

  it('cannot be made again by another spelling of the path (T14)', async () => {
    await using site = await openSite()
    const spellings = [
      '/api/setup',
      '/api/setup/',
      '//api/setup',
      '/api//setup',
      '/API/SETUP',
      '/api/setup;x=1',
      '/api/./setup',
    ]
    const more = [
      '/api/x/../setup',
      '/api/setup%2F',
      '/api%2Fsetup',
      '/%61pi/setup',
      '/api/setup?x=1',
      '/api/setup%00',
      `${site.url}/api/setup`,
    ]
    for (const at of [...spellings, ...more]) {
      const answer = await setUp(site, '', 'intruder', at)
      expect([400, 404], at).toContain(answer.status)
    }
    expect(await accountsOf(site)).toBe(1)
    await expect(site.signIn('intruder')).rejects.toThrow('1005')
  })

  it('cannot be made while the database is down (T14)', async () => {
    const mariadb = await launchMariadb()
    const url = await mariadb.database('godwit')
    await using site = await openSite({ databaseUrl: url })
    await mariadb.stop()
    const answer = await setUp(site, '', 'intruder')
    expect([5002, 5310]).toContain(answer.code)
    expect((await site.ask({ path: '/readyz' })).status).toBe(503)
  })
})

describe('secrets of an installation', () => {
  it('are shared by no two installations (T16)', async () => {
    await using one = await openSite({ env: NO_ADMINISTRATOR })
    await using two = await openSite({ env: NO_ADMINISTRATOR })
    const values: string[][] = []
    for (const site of [one, two]) {
      const token = setupTokenIn(site)
      await setUp(site, token, 'admin')
      const login = await site.signIn('admin', 'Sunrise-42x')
      await site.upload(login.token, 'f', Buffer.from('same'))
      const ticket = await site.call(login.token, 'ticket', { paths: ['/f'] })
      const rows = await site.withDatabase(async ({ db }) => [
        ...(await db.selectFrom('users').select(['password_hash', 'id']).execute()),
        ...(await db.selectFrom('sessions').select(['token_hash', 'refresh_hash', 'id']).execute()),
        ...(await db.selectFrom('uploads').select(['grant_hash', 'id']).execute()),
      ])
      values.push([
        token,
        login.token,
        login.refresh,
        String(ticket.data['ticket']),
        ...rows.flatMap((row) => Object.values(row).map(String)),
      ])
    }
    const [first = [], second = []] = values
    expect(first.length).toBeGreaterThan(12)
    expect(first.filter((value) => second.includes(value))).toEqual([])
    // One key lies in the data folder, that of the sealed secrets; every other secret is random and stored as a hash.
    expect(
      fs
        .readdirSync(one.data)
        .filter((name) => !/^(files|keys|godwit\.db(-wal|-shm)?|server\.lock(\.json)?)$/.test(name)),
    ).toEqual([])
    expect(fs.readdirSync(path.join(one.data, 'keys'))).toEqual(['secrets.key'])
    const [key, other] = [one, two].map(({ data }) => fs.readFileSync(path.join(data, VAULT_KEY)))
    expect(key).toHaveLength(32)
    expect(key?.equals(other ?? Buffer.alloc(0))).toBe(false)
  })

  it('have 256 random bits, a million of them without a repetition (T16)', () => {
    const seen = new Set<string>()
    for (let made = 0; made < 1_000_000; made++) seen.add(newToken(secureRandom))
    expect(seen.size).toBe(1_000_000)
    expect(Buffer.from(newToken(secureRandom), 'base64url')).toHaveLength(32)
  })

  it('no key, or an empty one, proves anything (T15)', async () => {
    await using site = await openSite()
    for (const ticket of ['', '0', 'null', 'undefined', Buffer.alloc(32).toString('base64url')]) {
      expect((await site.ask({ path: `/api/files/content?ticket=${ticket}` })).code, ticket).toBe(5112)
    }
    for (const token of ['null', 'undefined', Buffer.alloc(32).toString('base64url')]) {
      expect((await site.ask({ path: '/api/user/info', token })).code, token).toBe(1009)
    }
  })
})

describe('fields that nobody asked for', () => {
  const EXTRA = {
    role: 'admin',
    permission: 8191,
    isAdmin: true,
    is_admin: 1,
    isSuper: true,
    locked: 0,
    quotaBytes: 0,
    userId: 'x',
    home: '/',
    constructor: { prototype: { isAdmin: true } },
  }

  it('are refused in every body, and change nothing (T13)', async () => {
    await using site = await openSite()
    await site.addUser('mei')
    const { token } = await site.signIn('mei')
    const taken: string[] = []
    const before = await site.databaseHash()
    for (const { name, question } of doors()) {
      if (question.json === undefined) continue
      for (const [field, value] of Object.entries(EXTRA)) {
        // A few doors really take a field of this name, for something else.
        if (Object.hasOwn(question.json as object, field)) continue
        const answer = await site.ask({ ...question, token, json: { ...(question.json as object), [field]: value } })
        if (answer.code === 200) taken.push(`${name}.${field}`)
      }
      const polluted = `{"__proto__":{"isAdmin":true},${JSON.stringify(question.json).slice(1)}`
      const headers = { 'content-type': 'application/json' }
      const { json: _json, ...rest } = question
      if ((await site.ask({ ...rest, token, headers, body: polluted })).code === 200) taken.push(`${name}.__proto__`)
    }
    expect(taken).toEqual([])
    expect(await site.databaseHash()).toBe(before)
    const info = await site.ask({ path: '/api/user/info', token })
    expect(info.data['user']).toMatchObject({ isAdmin: false, account: 'mei' })
  })
})

describe('headers of proxies', () => {
  const forged = (address: string) => ({
    'x-forwarded-for': address,
    'x-real-ip': address,
    forwarded: `for=${address}`,
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'client-ip': address,
    'x-client-ip': address,
    'true-client-ip': address,
  })
  const addressesOf = (site: Site) =>
    site.withDatabase(async ({ db }) =>
      (await db.selectFrom('sessions').select('address').execute()).map(({ address }) => address),
    )
  const login = (site: Site, headers: Record<string, string>) =>
    site.ask({
      method: 'POST',
      path: '/api/user/login',
      headers,
      json: { account: 'admin', password: encodePassword(site.godwit.administrator.password) },
    })

  it('are ignored without a trusted proxy (T17)', async () => {
    await using site = await openSite()
    for (const address of ['203.0.113.9', '::1', '127.0.0.2', '[2001:db8::1]:80', "1' or 1=1"])
      await login(site, forged(address))
    expect(new Set(await addressesOf(site))).toEqual(new Set(['127.0.0.1']))
  })

  it('count from the nearest address that is not a trusted proxy (T17)', async () => {
    await using site = await openSite({ env: { GODWIT_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } })
    await login(site, { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.2.3' })
    await login(site, { 'x-forwarded-for': '198.51.100.2, ::ffff:203.0.113.9' })
    await login(site, { 'x-forwarded-for': '6.6.6.6, garbage, 203.0.113.9' })
    expect(await addressesOf(site)).toEqual(['203.0.113.9', '203.0.113.9', '203.0.113.9'])
  })

  it('never reach an address or a redirect that the server names (T44)', async () => {
    await using site = await openSite()
    const { token } = await site.signIn('admin')
    await site.upload(token, 'a', Buffer.from('x'))
    const hosts = [
      'evil.example',
      'evil.example:80@x',
      "evil.example' or 1=1 --",
      'evil.example\t',
      '[::evil.example]',
      'EVIL.EXAMPLE',
    ]
    const told: string[] = []
    for (const host of hosts) {
      const headers = { host, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
      for (const { question } of doors()) {
        const answer = await site
          .ask({ ...question, token, headers: { ...question.headers, ...headers } })
          .catch(() => undefined)
        if (answer !== undefined) told.push(answer.text, JSON.stringify(answer.headers))
      }
      for (const at of ['/docs', '/api/docs', '/', '/api/website/info']) {
        const answer = await site.ask({ path: at, headers }).catch(() => undefined)
        if (answer !== undefined) told.push(answer.text, JSON.stringify(answer.headers))
      }
    }
    expect(told.join('\n').toLowerCase()).not.toContain('evil.example')
  })
})

describe('the data folder', () => {
  it('inside the program, or around it, refuses the start (T49)', async () => {
    const root = path.join(import.meta.dirname, '../../../..')
    for (const data of [path.join(root, 'apps/server/data'), root, path.join(root, 'node_modules/x')]) {
      await expect(openSite({ flags: ['--data', data] })).rejects.toThrow(/overlaps the program/)
      expect(fs.existsSync(path.join(data, 'godwit.db'))).toBe(false)
    }
  })

  it('holds nothing that can be run, and nothing that others may write (T10, T49)', async () => {
    await using site = await openSite()
    const { token } = await site.signIn('admin')
    await site.call(token, 'mkdir', { folder: '/', name: 'folder' })
    await site.upload(token, 'run.sh', Buffer.from('#!/bin/sh\n'), '/folder')
    await site.call(token, 'copy', { paths: ['/folder'], target: '/folder', conflict: 'keep-both' })
    const wrong: string[] = []
    for (const name of fs.readdirSync(site.data, { recursive: true, encoding: 'utf8' })) {
      const stat = fs.statSync(path.join(site.data, name))
      if ((stat.mode & 0o002) !== 0 || (stat.isFile() && (stat.mode & 0o111) !== 0))
        wrong.push(`${name} ${stat.mode.toString(8)}`)
    }
    expect(wrong).toEqual([])
  })

  it('of a database shared with nobody starts on MariaDB alike (T14)', async () => {
    await using site = await openSite({ databaseUrl: await mariadbUrl(), env: NO_ADMINISTRATOR })
    const token = setupTokenIn(site)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => setUp(site, token, `admin${index}`)))
    expect(answers.map(({ text }) => text).filter((text) => !text.includes('"code":5002,'))).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
  })
})
