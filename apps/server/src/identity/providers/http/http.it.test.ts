import { secureRandom, systemClock } from '@godwit/base'
import { ACCOUNT_TYPE, encodePassword, errorByWire, type HttpSettings } from '@godwit/contract'
import { freePort } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../../../kernel/outbound/index.ts'
import { openSite, PASSWORD, type Site } from '../../../security/testing/sites.ts'
import { providerSuite } from '../../../testing/provider-suite.ts'
import type { PasswordSource } from '../provider.types.ts'
import { httpProvider } from './http.provider.ts'
import { launchPasswordService, type PasswordService } from './testing/password-service.ts'

const MEI = { ok: true, account: 'mei', name: 'Mei of the Lab', email: 'mei@example.org', groups: ['lab', 'staff'] }

let service: PasswordService
beforeAll(async () => {
  const people = Object.entries({ mei: MEI, 'li.wei': { ok: true }, admin: { ok: true }, kept: { ok: true } })
  const known = people.map(([account, answer]) => [account, { password: `secret of ${account}`, answer }] as const)
  service = await launchPasswordService(Object.fromEntries(known))
})
afterEach(() => service.behave(undefined))
afterAll(() => service[Symbol.asyncDispose]())

const silentPort = await freePort()

function settings(change: Partial<HttpSettings> = {}): HttpSettings {
  return {
    ...{ url: service.url, proof: 'signature', ca: service.ca, inside: true, groups: [] },
    ...{ permission: 6, createAtSignIn: true },
    ...change,
  }
}

function open(change: Partial<HttpSettings> = {}, secret = service.secret): PasswordSource {
  const deps = { outbound: createOutbound([]), clock: systemClock, random: secureRandom }
  return httpProvider(deps, { settings: settings(change), secret })
}

for (const proof of ['signature', 'bearer'] as const)
  providerSuite(`external HTTP (${proof})`, {
    provider: () => open({ proof, ...(proof === 'bearer' ? { url: service.plainUrl } : {}) }),
    silent: () => open({ proof, url: `https://localhost:${silentPort}/` }),
    ...{ login: 'mei', password: 'secret of mei' },
    person: { name: 'Mei of the Lab', email: 'mei@example.org' },
  })

type Behaviour = Parameters<PasswordService['behave']>[0]
const answering =
  (body: string, status = 200): Behaviour =>
  (response) =>
    void response.writeHead(status, { location: service.plainUrl }).end(body)

const HOSTILE: ReadonlyArray<readonly [string, string, Behaviour]> = [
  ['answers for another account', 'AUTH_SERVICE_OTHER_ACCOUNT', answering('{"ok":true,"account":"admin"}')],
  ['answers with a page', 'AUTH_SERVICE_ANSWER_INVALID', answering('<html>yes</html>')],
  ['says yes with another type', 'AUTH_SERVICE_ANSWER_INVALID', answering('{"ok":"true"}')],
  ['says nothing', 'AUTH_SERVICE_ANSWER_INVALID', answering('')],
  ['leads elsewhere', 'AUTH_SERVICE_ANSWER_INVALID', answering('', 307)],
  ['is broken', 'EXTERNAL_AUTH_UNREACHABLE', answering('{"ok":true}', 502)],
  ['refuses this server', 'AUTH_SERVICE_REFUSED', answering('', 401)],
  ['answers 10 MB', 'AUTH_SERVICE_ANSWER_INVALID', answering(`{"ok":true,"name":"${'x'.repeat(10_000_000)}"}`)],
  [
    'breaks off',
    'EXTERNAL_AUTH_UNREACHABLE',
    (response) => void response.writeHead(200).write('{"ok"', () => response.destroy()),
  ],
  ['never answers', 'EXTERNAL_AUTH_UNREACHABLE', () => undefined],
  ['never ends', 'EXTERNAL_AUTH_UNREACHABLE', (response) => void response.writeHead(200).write('{"ok":true')],
]

describe('a service that checks passwords', () => {
  it.each(HOSTILE)('and that %s lets nobody in: %s', async (_what, code, behaviour) => {
    service.behave(behaviour)
    await expect(open().check('mei', 'secret of mei', 1500)).rejects.toMatchObject({ code })
  })

  it('puts its people into groups, and leaves them where it says nothing of any', async () => {
    const groups = [
      { name: 'lab', groupId: 7 },
      { name: 'absent', groupId: 8 },
    ]
    expect(await open({ groups }).check('mei', 'secret of mei')).toMatchObject({ groupIds: [7], key: 'mei' })
    expect(await open({ groups }).check('li.wei', 'secret of li.wei')).toMatchObject({ groupIds: undefined })
  })

  it('is tested step by step, and has to refuse somebody who does not exist', async () => {
    const somebody = { login: 'mei', password: 'secret of mei' }
    const { steps, person } = await open().test(somebody)
    expect(steps.map(({ step }) => step)).toEqual(['answer', 'refusal', 'password'])
    expect(person).toMatchObject({ login: 'mei' })
    const faults: ReadonlyArray<readonly [PasswordSource, string, object]> = [
      [open({ ca: '' }), 'AUTH_SERVICE_CERTIFICATE_INVALID', { step: 'tls', field: 'ca' }],
      [
        open({ url: service.url.replace('localhost', '127.0.0.1') }),
        'AUTH_SERVICE_CERTIFICATE_INVALID',
        { field: 'url' },
      ],
      [open({ inside: false }), 'EXTERNAL_AUTH_UNREACHABLE', { step: 'connect', reason: 'not-allowed' }],
      [open({ url: 'https://169.254.169.254/' }), 'EXTERNAL_AUTH_UNREACHABLE', { reason: 'not-allowed' }],
      [open({ url: 'https://absent.invalid/' }), 'EXTERNAL_AUTH_UNREACHABLE', { reason: 'unknown-host' }],
      [open({}, 'wrong'), 'AUTH_SERVICE_REFUSED', { field: 'secret' }],
    ]
    for (const [provider, code, details] of faults)
      await expect(provider.test(somebody)).rejects.toMatchObject({
        code,
        details: expect.objectContaining(details) as object,
      })
    await expect(open().test({ ...somebody, login: 'absent' })).rejects.toMatchObject({
      ...{ code: 'AUTH_SERVICE_CREDENTIALS_WRONG', details: { step: 'account' } },
    })
    service.behave(answering('{"ok":true}'))
    await expect(open().test(somebody)).rejects.toMatchObject({
      ...{ code: 'AUTH_SERVICE_ACCEPTS_ANYBODY', details: { step: 'refusal', field: 'url' } },
    })
  })
})

describe('accounts of a service', () => {
  let site: Site
  let token = ''
  const API = '/api/admin/authentication'

  beforeAll(async () => {
    site = await openSite()
    token = (await site.signIn('admin')).token
  })
  afterAll(() => site[Symbol.asyncDispose]())

  async function send(method: string, path: string, json?: object) {
    const { code, data } = await site.ask({ method, path, token, ...(json === undefined ? {} : { json }) })
    return { name: errorByWire(code ?? 0), data: data as Readonly<Record<string, unknown>> }
  }
  const signIn = async (account: string, password = `secret of ${account}`) => {
    const json = { account, password: encodePassword(password) }
    const { code, data } = await site.ask({ method: 'POST', path: '/api/user/login', json })
    return { name: errorByWire(code ?? 0), data: data as Readonly<Record<string, string>> }
  }

  it('are made at the first sign-in, and never out of another one', async () => {
    await site.addUser('kept')
    const source = { kind: 'http', settings: settings() }
    expect((await send('POST', `${API}/providers`, { name: 'Portal', source })).name).toBe('VALUE_REQUIRED')
    const added = await send('POST', `${API}/providers`, { name: 'Portal', source, secret: service.secret })
    expect(added.name).toBeUndefined()
    expect(JSON.stringify(added.data)).not.toContain(service.secret)
    expect((await signIn('mei')).name).toBeUndefined()
    const { data } = await send('GET', '/api/admin/users?text=mei')
    expect(data['rows']).toMatchObject([
      { account: 'mei', type: ACCOUNT_TYPE.external, email: 'mei@example.org', source: { name: 'Portal' } },
    ])
    // These have accounts of this server, with passwords of their own.
    for (const account of ['admin', 'kept']) expect((await signIn(account)).name).toBe('PASSWORD_WRONG')
    expect((await signIn('kept', PASSWORD)).name).toBeUndefined()
    service.behave(answering('{"ok":true,"account":"mei"}'))
    expect((await signIn('li.wei')).name).toBe('AUTH_SERVICE_OTHER_ACCOUNT')
  })

  it('say that their service is silent, while the administrator gets in, and the next provider is asked', async () => {
    service.behave(() => undefined)
    const begun = performance.now()
    expect((await signIn('mei')).name).toBe('EXTERNAL_AUTH_UNREACHABLE')
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect((await site.signIn('admin')).token).not.toBe('')
    await using other = await launchPasswordService({ ann: { password: 'secret of ann', answer: { ok: true } } })
    const source = { kind: 'http', settings: settings({ url: other.url, ca: other.ca }) }
    expect((await send('POST', `${API}/providers`, { name: 'Second', source, secret: other.secret })).name).toBe(
      undefined,
    )
    expect((await signIn('ann')).name).toBeUndefined()
  })

  it('keep their password where it is, and are shown at the command line', async () => {
    const session = await signIn('mei')
    const json = { oldPassword: encodePassword('secret of mei'), newPassword: encodePassword('Another-1x') }
    const changed = await site.ask({
      method: 'PUT',
      path: '/api/user/password/update',
      token: session.data['token'],
      json,
    })
    expect(errorByWire(changed.code ?? 0)).toBe('PASSWORD_CHANGE_NOT_ALLOWED')
    expect(await site.cli('auth list')).toBe(0)
    expect(site.printed()).toContain('Portal')
    expect(site.printed()).not.toContain(service.secret)
    expect(await site.cli('auth test 1')).toBe(0)
    expect(site.printed()).toContain('refusal')
  })
})
