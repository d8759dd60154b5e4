import { errorByWire } from '@godwit/contract'
import { launchOidc, type Oidc } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const HERE = 'https://files.example.org'
const CLIENT = {
  client_id: 'godwit',
  client_secret: 'secret of the client',
  redirect_uris: [`${HERE}/signin/callback`],
}
const person = (name: string, more: object = {}) => ({
  ...{ preferred_username: name, name: `${name} of the Lab`, email: `${name}@example.org`, email_verified: true },
  ...more,
})
const FACTS = {
  clients: [
    { ...CLIENT, post_logout_redirect_uris: [`${HERE}/signin`] },
    { ...CLIENT, client_id: 'other', client_secret: 'secret of the other' },
  ],
  people: {
    s1: person('li.wei', { groups: ['lab'] }),
    s2: person('admin'),
    s3: person('unproven', { email_verified: false }),
    s4: person('locked'),
    s5: person('twice'),
  },
}

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`a sign-in at an identity provider on ${name}`, () => {
    let site: Site
    let oidc: Oidc
    let admin = ''
    let groupId = 0
    let providerId = 0

    beforeAll(async () => {
      oidc = await launchOidc(FACTS)
      const databaseUrl = await url()
      const env = { GODWIT_OUTBOUND_ALLOW: '127.0.0.1,::1', GODWIT_PUBLIC_URL: HERE }
      site = await openSite({ env, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
      admin = (await site.signIn('admin')).token
      groupId = ((await send('/api/admin/groups', { name: 'Lab' }, admin)).data['group'] as { id: number }).id
    })
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await oidc.stop()
    })

    async function send(path: string, json: object, token?: string) {
      const { code, data } = await site.ask({ method: 'POST', path, json, token })
      return { error: errorByWire(code ?? 0), data: (data ?? {}) as Readonly<Record<string, unknown>> }
    }
    const source = (change: object = {}) => ({
      kind: 'oidc',
      settings: {
        ...{ issuer: oidc.issuer, ca: oidc.ca, clientId: 'godwit', permission: 6, nameEN: 'the Lab', nameZH: '实验室' },
        claims: {
          ...{ account: 'preferred_username', name: 'name', email: 'email', phone: '', department: '' },
          groups: 'groups',
        },
        groups: [{ name: 'lab', groupId }],
        ...change,
      },
    })
    const added = async (label: string, change: object = {}, secret = CLIENT.client_secret) => {
      const body = { name: label, source: source(change), secret }
      const { data } = await send('/api/admin/authentication/providers', body, admin)
      return (data['provider'] as { id: number }).id
    }
    const begin = async (id = providerId) =>
      (await send('/api/user/sign-on/begin', { providerId: id })).data as { url: string; key: string }
    const finish = (key: string, answer: string) => send('/api/user/sign-on/finish', { key, answer })
    async function signIn(subject: string, id = providerId) {
      const { url: there, key } = await begin(id)
      return finish(key, await oidc.signIn(there, subject))
    }
    const infoOf = async (token: unknown) => {
      const { data } = await site.ask({ path: '/api/user/info', token: String(token) })
      return (data as Readonly<Record<string, unknown>>)['user']
    }

    it('is tested step by step before it is saved, and says what is wrong', async () => {
      const tried = { source: source(), secret: CLIENT.client_secret }
      const { data } = await send('/api/admin/authentication/try', tried, admin)
      expect((data['steps'] as ReadonlyArray<{ step: string }>).map(({ step }) => step)).toEqual([
        'discover',
        'keys',
        'client',
      ])
      const faults: ReadonlyArray<readonly [object, string, object]> = [
        [{ ...tried, source: source({ issuer: '' }) }, 'VALUE_REQUIRED', { field: 'issuer' }],
        [{ ...tried, source: source({ issuer: 'http://localhost:1' }) }, 'PARAMETER_INVALID', { field: 'issuer' }],
        [{ ...tried, source: source({ clientId: '' }) }, 'VALUE_REQUIRED', { field: 'clientId' }],
        [{ ...tried, source: source({ ca: '' }) }, 'SIGN_ON_CERTIFICATE_INVALID', { step: 'discover', field: 'ca' }],
        [
          { ...tried, source: source({ issuer: 'https://localhost:9' }) },
          'EXTERNAL_AUTH_UNREACHABLE',
          { field: 'issuer' },
        ],
        [
          { ...tried, source: source({ issuer: `${oidc.issuer}/absent` }) },
          'SIGN_ON_ANSWER_INVALID',
          { field: 'issuer' },
        ],
        [{ ...tried, secret: 'wrong' }, 'SIGN_ON_CLIENT_REFUSED', { step: 'client', field: 'secret' }],
      ]
      for (const [body, error, details] of faults) {
        const answer = await send('/api/admin/authentication/try', body, admin)
        expect(answer, JSON.stringify(details)).toMatchObject({ error, data: details })
      }
    })

    it('makes the account, puts it into its groups, and ends with the session of the provider', async () => {
      providerId = await added('Lab')
      const { data: shown } = await site.ask({ path: '/api/website/info' })
      expect(shown['signOns']).toEqual([{ id: providerId, nameZH: '实验室', nameEN: 'the Lab' }])
      const { data } = await signIn('s1')
      expect(data).toMatchObject({ account: 'li_wei' })
      expect(await infoOf(data['token'])).toMatchObject({
        accountType: 8,
        email: 'li.wei@example.org',
        groupList: [{ groupName: 'Lab' }],
        name: 'li.wei of the Lab',
      })
      const out = await send('/api/user/logout', {}, String(data['token']))
      expect(String(out.data['leaveTo'])).toContain(`${oidc.issuer}/session/end?`)
      expect((await signIn('s1')).data['userId']).toBe(data['userId'])
    })

    it('takes over no account, believes no unproved address, and lets no locked account in', async () => {
      expect((await signIn('s2')).error).toBe('SIGN_ON_NO_ACCOUNT')
      const { data } = await signIn('s3')
      expect(await infoOf(data['token'])).toMatchObject({ account: 'unproven', email: '' })
      const { data: locked } = await signIn('s4')
      await send('/api/admin/users/lock', { ids: [locked['userId']] }, admin)
      expect((await signIn('s4')).error).toBe('ACCOUNT_LOCKED')
    })

    it('counts once, in the browser that began it, and with its own answer alone', async () => {
      const [first, second] = [await begin(), await begin()]
      const answer = await oidc.signIn(first.url, 's5')
      const other = new URLSearchParams(await oidc.signIn(second.url, 's5'))
      expect((await finish('forged', answer)).error).toBe('SIGN_ON_STALE')
      expect((await finish(first.key, '?state=forged&code=forged')).error).toBe('SIGN_ON_STALE')
      const both = await Promise.all([finish(first.key, answer), finish(first.key, answer)])
      expect(both.filter(({ error }) => error === 'SIGN_ON_STALE')).toHaveLength(1)
      expect(both.filter(({ error }) => error === undefined)).toHaveLength(1)
      expect((await finish(first.key, answer)).error).toBe('SIGN_ON_STALE')
      // The code of one sign-in with the state of another: the verifier does not fit.
      const third = await begin()
      const mixed = new URLSearchParams(await oidc.signIn(third.url, 's5'))
      mixed.set('code', other.get('code') ?? '')
      expect((await finish(third.key, `?${mixed.toString()}`)).error).toBe('SIGN_ON_STALE')
    })

    it('takes no answer of another issuer, client or refusal', async () => {
      const { url: there, key } = await begin()
      const answer = new URLSearchParams(await oidc.signIn(there, 's1'))
      answer.set('iss', 'https://attacker.example')
      expect((await finish(key, `?${answer.toString()}`)).error).toBe('SIGN_ON_ANSWER_INVALID')
      const otherId = await added('Other', { clientId: 'other' }, 'secret of the other')
      const [mine, theirs] = [await begin(), await begin(otherId)]
      const mixed = new URLSearchParams(await oidc.signIn(mine.url, 's1'))
      mixed.set('state', new URL(theirs.url).searchParams.get('state') ?? '')
      expect((await finish(theirs.key, `?${mixed.toString()}`)).error).toBe('SIGN_ON_STALE')
      const refused = await begin()
      const state = new URL(refused.url).searchParams.get('state') ?? ''
      expect((await finish(refused.key, `?error=access_denied&state=${state}`)).error).toBe('SIGN_ON_REFUSED')
    })

    it('believes no notice of an end that the provider has not signed', async () => {
      const claims = {
        iss: oidc.issuer,
        aud: 'godwit',
        sub: 's1',
        iat: Math.floor(Date.now() / 1000),
        jti: 'x',
        events: {},
      }
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      for (const notice of [
        'x',
        `${part({ alg: 'none' })}.${part(claims)}.`,
        `${part({ alg: 'RS256' })}.${part(claims)}.AAAA`,
      ]) {
        const body = new URLSearchParams({ logout_token: notice }).toString()
        const { code } = await site.ask({ method: 'POST', path: '/api/user/sign-on/ended', body })
        expect(errorByWire(code ?? 0)).toBe('SIGN_ON_ANSWER_INVALID')
      }
    })
  })
}
