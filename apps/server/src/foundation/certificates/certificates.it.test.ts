import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { certificateRoutes } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { makeSelfSigned } from './self-signed.ts'
import { openAuthority, type Pair } from './testing/authority.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-certificates-'))
const authority = openAuthority(folder)

describe('certificates in the console', () => {
  let site: Site
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    site = await openSite()
    for (const account of ['keeper', 'member']) await site.addUser(account)
    await administer(site, 'keeper', ['certificates.edit'])
    for (const who of ['admin', 'keeper', 'member']) tokens.set(who, (await site.signIn(who)).token)
    authority.issue('root', { isAuthority: true })
    authority.issue('middle', { issuer: 'root', isAuthority: true })
    authority.issue('files.example.org', { issuer: 'middle' })
  })
  afterAll(async () => {
    fs.rmSync(folder, { recursive: true, force: true })
    await site[Symbol.asyncDispose]()
  })

  const pair = (name: string): Pair => ({
    certificate: fs.readFileSync(path.join(folder, `${name}.pem`), 'utf8'),
    key: fs.readFileSync(path.join(folder, `${name}.key`), 'utf8'),
  })
  const ask = (below: string, json?: object, who = 'keeper') =>
    site.ask({
      path: `/api/admin/certificates${below}`,
      token: tokens.get(who) ?? '',
      ...(json === undefined ? {} : { method: 'POST', json }),
    })
  const list = async () => certificateRoutes.list.reply.parse((await ask('')).data)

  it('are for those with the right alone', async () => {
    expect((await ask('', undefined, 'member')).code).toBe(1008)
    expect((await ask('', pair('files.example.org'), 'member')).code).toBe(1008)
    expect((await ask('/self-signed', { names: ['a.example.org'] }, 'member')).code).toBe(1008)
    expect((await ask('/remove', {}, 'member')).code).toBe(1008)
    expect(await list()).toMatchObject({ current: null, history: [] })
  })

  it('come as they lie in a folder: a chain in the wrong order is put in the right one', async () => {
    const { certificate, key } = pair('files.example.org')
    const mixed = `Bag Attributes\n${pair('root').certificate}\n${certificate.replaceAll('\n', '\r\n')}${pair('middle').certificate}`
    const answer = await ask('', { certificate: mixed, key })
    expect(answer.code).toBe(200)
    const { current } = await list()
    expect(current).toMatchObject({
      ...{ source: 'uploaded', inForce: true, names: ['files.example.org'], issuer: 'CN=middle', addedBy: 'keeper' },
      ...{ chain: ['CN=middle', 'CN=root'], bits: 2048, warnings: [] },
    })
    expect(current?.fingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  })

  it('warn of an issuer that nobody knows and of one that is nobody', async () => {
    expect((await ask('', pair('files.example.org'))).code).toBe(200)
    expect((await list()).current?.warnings).toEqual(['issuer-unknown'])
    expect(
      (await ask('/self-signed', { names: ['a.example.org', '*.example.org', '192.0.2.7', '2001:db8::7'] })).code,
    ).toBe(200)
    const { current } = await list()
    expect(current).toMatchObject({ source: 'self-signed', warnings: ['self-signed'], daysLeft: 396 })
    expect(current?.names).toEqual(['a.example.org', '*.example.org', '192.0.2.7', '2001:db8:0:0:0:0:0:7'])
  })

  it.each([
    ['CERTIFICATE_PEM_INVALID', 4037, 'certificate', () => ({ ...pair('root'), certificate: 'hello' })],
    [
      'a certificate cut short',
      4037,
      'certificate',
      () => ({ ...pair('root'), certificate: cut(pair('root').certificate) }),
    ],
    ['CERTIFICATE_KEY_INVALID', 4036, 'key', () => ({ ...pair('root'), key: 'hello' })],
    ['a key cut short', 4036, 'key', () => ({ ...pair('root'), key: cut(pair('root').key) })],
    ['a certificate for a key', 4036, 'key', () => ({ ...pair('root'), key: pair('root').certificate })],
    ['CERTIFICATE_MISMATCH', 4041, 'key', () => ({ ...pair('root'), key: pair('middle').key })],
    ['CERTIFICATE_KEY_TOO_SHORT', 4038, 'key', () => authority.issue('short', { kind: ['rsa:1024'] })],
    ['CERTIFICATE_NOT_RSA', 4040, 'key', () => authority.issue('curve', { kind: ['ed25519'] })],
    [
      'a certificate of another kind',
      4040,
      'certificate',
      () => ({ ...authority.issue('curve', { kind: ['ed25519'] }), key: pair('root').key }),
    ],
    ['CERTIFICATE_EXPIRED', 4039, 'certificate', () => signedAt(Date.UTC(2020, 0))],
    ['one that is not valid yet', 4039, 'certificate', () => signedAt(Date.UTC(2098, 0))],
    ['CERTIFICATE_KEY_ENCRYPTED', 5330, 'key', () => ({ ...pair('root'), key: authority.encrypted('root', 'pkcs8') })],
    ['the older passphrase', 5330, 'key', () => ({ ...pair('root'), key: authority.encrypted('root', 'traditional') })],
    [
      'CERTIFICATE_CHAIN_INVALID',
      5331,
      'certificate',
      () => ({ ...pair('root'), certificate: pair('root').certificate + pair('files.example.org').certificate }),
    ],
  ])('refuse %s with %i at its field, and keep what is in force', async (_name, code, field, wanted) => {
    const before = await list()
    const answer = await ask('', await wanted())
    expect(answer).toMatchObject({ code, data: { field } })
    expect(await list()).toEqual(before)
  })

  it('are made for names that exist alone', async () => {
    for (const names of [
      [],
      ['a b'],
      ['999.1.1.1'],
      ['-a.example.org'],
      ['a', 'a'],
      ['x'.repeat(254)],
      ['a\0b'],
      ['::g'],
    ])
      expect((await ask('/self-signed', { names })).code).toBe(400)
    expect((await ask('/self-signed', { names: ['a'], days: 0 })).code).toBe(400)
  })

  it('leave no key: neither in an answer, nor in the log, nor of an earlier one in the database', async () => {
    const { key } = pair('files.example.org')
    const secret = key.split('\n')[3] ?? ''
    const answers = [await ask(''), await ask('', pair('files.example.org'))]
    const log = await site.ask({ path: '/api/admin/log/operations?pageSize=50', token: tokens.get('admin') ?? '' })
    for (const { text } of [...answers, log]) expect(text).not.toContain(secret)
    expect(log.text).toContain('certificate.set')
    expect(log.text).toContain('CERTIFICATE_MISMATCH')
    const rows = await site.withDatabase(({ db }) =>
      db.selectFrom('certificates').select(['in_force', 'sealed_key']).execute(),
    )
    expect(rows.filter((row) => row.sealed_key !== '')).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('are twenty at most, and none after the last was removed', async () => {
    await Promise.all(Array.from({ length: 22 }, () => ask('', pair('files.example.org'))))
    const { current, history } = await list()
    expect(current).not.toBeNull()
    expect(history).toHaveLength(19)
    expect((await ask('/remove', {})).code).toBe(200)
    expect((await ask('/remove', {})).code).toBe(200)
    expect(await list()).toMatchObject({ current: null })
  })
})

function signedAt(now: number): Promise<Pair> {
  return makeSelfSigned({ names: ['a'], days: 30, now, serial: new Uint8Array(16).fill(1) })
}

function cut(pem: string): string {
  const lines = pem.split('\n')
  return [...lines.slice(0, 4), ...lines.slice(-2)].join('\n')
}
