import { errorByWire, SAML_PATHS } from '@godwit/contract'
import { launchSaml, type Saml, type SamlFault } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSelfSigned } from '../../foundation/certificates/index.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

const HERE = 'https://files.example.org'
const PEOPLE = {
  'li.wei': { displayName: 'Li Wei', mail: 'li.wei@example.org', memberOf: ['lab', 'guests'] },
  mei: { displayName: ['Mei'], memberOf: ['other'] },
}

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`a sign-in by SAML on ${name}`, () => {
    let site: Site
    let saml: Saml
    let admin = ''
    let groupId = 0
    let providerId = 0

    beforeAll(async () => {
      saml = await launchSaml({ people: PEOPLE })
      const databaseUrl = await url()
      const env = { GODWIT_OUTBOUND_ALLOW: '127.0.0.1,::1', GODWIT_PUBLIC_URL: HERE }
      site = await openSite({ env, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
      admin = (await site.signIn('admin')).token
      groupId = ((await send('/api/admin/groups', { name: 'Lab' }, admin)).data['group'] as { id: number }).id
      await saml.trust(await (await fetch(site.url + SAML_PATHS.metadata)).text())
      const { data } = await send('/api/admin/authentication/providers', { name: 'Lab', source: source() }, admin)
      providerId = (data['provider'] as { id: number }).id
    })
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await saml.stop()
    })

    async function send(path: string, json: object, token?: string) {
      const { code, data } = await site.ask({ method: 'POST', path, json, token })
      return { error: errorByWire(code ?? 0), data: (data ?? {}) as Readonly<Record<string, unknown>> }
    }
    const source = (change: object = {}) => ({
      kind: 'saml',
      settings: {
        ...{ metadataUrl: saml.metadataUrl, ca: saml.ca, permission: 6, nameEN: 'the Lab', nameZH: '实验室' },
        ...{ attributes: attributes(), trustEmail: true, groups: [{ name: 'lab', groupId }] },
        ...change,
      },
    })
    const attributes = () => ({
      ...{ account: '', name: 'displayName', email: 'mail', phone: '', department: '', groups: 'memberOf' },
    })
    const begin = async (id = providerId) =>
      (await send('/api/user/sign-on/begin', { providerId: id })).data as { url: string; key: string }
    /** As the browser posts it: from the provider's page. @returns where the page goes on */
    async function post(form: URLSearchParams): Promise<string> {
      const answer = await fetch(site.url + SAML_PATHS.answers, {
        ...{ method: 'POST', body: form, redirect: 'manual' },
        headers: { origin: new URL(saml.metadataUrl).origin, 'sec-fetch-site': 'cross-site' },
      })
      expect(answer.status).toBe(303)
      return new URL(answer.headers.get('location') ?? '', HERE).search
    }
    const finish = (key: string, answer: string) => send('/api/user/sign-on/finish', { key, answer })
    async function signIn(login: string, fault: SamlFault = '') {
      const { url: there, key } = await begin()
      return finish(key, await post(await saml.signIn(there, login, fault)))
    }
    const infoOf = async (token: unknown) => {
      const { data } = await site.ask({ path: '/api/user/info', token: String(token) })
      return (data as Readonly<Record<string, unknown>>)['user']
    }
    const isSignedIn = async (token: unknown) =>
      (await site.ask({ path: '/api/user/info', token: String(token) })).code === 200

    it('is tested before it is saved, by address or pasted, and says what is wrong', async () => {
      const tried = async (change: object) => send('/api/admin/authentication/try', { source: source(change) }, admin)
      const pasted = { metadataUrl: '', metadata: await saml.metadata() }
      for (const change of [{}, pasted])
        expect((await tried(change)).data['steps']).toMatchObject([{ step: 'discover' }])
      const broken = (text: string) => ({ ...pasted, metadata: text })
      const faults: ReadonlyArray<readonly [object, string, object]> = [
        [{ metadataUrl: '' }, 'VALUE_REQUIRED', { field: 'metadataUrl' }],
        [{ metadataUrl: 'http://localhost:1' }, 'PARAMETER_INVALID', { field: 'metadataUrl' }],
        [{ metadataUrl: 'https://localhost:9' }, 'EXTERNAL_AUTH_UNREACHABLE', { field: 'metadataUrl' }],
        [{ ca: '' }, 'SIGN_ON_CERTIFICATE_INVALID', { field: 'ca' }],
        [broken('<html>'), 'SAML_METADATA_INVALID', { field: 'metadata', reason: 'not XML' }],
        [broken('<!DOCTYPE a [<!ENTITY b "c">]><a/>'), 'SAML_METADATA_INVALID', { reason: 'not XML' }],
        [broken('<EntityDescriptor/>'), 'SAML_METADATA_INVALID', { reason: 'not one entity' }],
        [broken(pasted.metadata.replace('SSODescriptor', 'Other')), 'SAML_METADATA_INVALID', {}],
        [broken(pasted.metadata.replace(/>MII[^<]+</, '><')), 'SAML_METADATA_INVALID', { reason: 'no certificate' }],
        [broken(pasted.metadata.replaceAll('https:', 'javascript:')), 'SAML_METADATA_INVALID', { reason: 'not https' }],
      ]
      for (const [change, error, details] of faults)
        expect(await tried(change), JSON.stringify([change, details])).toMatchObject({ error, data: details })
    })

    it('makes the account, puts it into its groups, and signs out of both, whoever begins', async () => {
      const { data } = await signIn('li.wei')
      expect(data).toMatchObject({ account: 'li_wei' })
      expect(await infoOf(data['token'])).toMatchObject({
        ...{ accountType: 9, name: 'Li Wei', email: 'li.wei@example.org', groupList: [{ groupName: 'Lab' }] },
      })
      const out = await send('/api/user/logout', {}, String(data['token']))
      // The provider refuses a request that is not signed, and answers at the address of the metadata.
      const back = (await saml.visit(String(out.data['leaveTo']))) ?? ''
      expect(back).toContain(HERE + SAML_PATHS.signOuts)
      const there = await fetch(back.replace(HERE, site.url), { redirect: 'manual' })
      expect(there.headers.get('location')).toBe('/signin')

      for (const as of [undefined, 'form'] as const) {
        const [again, other] = [await signIn('li.wei'), await signIn('mei')]
        expect(again.data['userId']).toBe(data['userId'])
        const message = await saml.signOut('li.wei', as)
        const answer =
          as === undefined
            ? await fetch(message.replace(HERE, site.url), { redirect: 'manual' })
            : await fetch(site.url + SAML_PATHS.signOuts, {
                ...{ method: 'POST', redirect: 'manual', headers: { origin: 'https://localhost' } },
                body: new URLSearchParams({ SAMLRequest: message }),
              })
        expect(answer.headers.get('location')).toContain('/slo?SAMLResponse=')
        expect([await isSignedIn(again.data['token']), await isSignedIn(other.data['token'])]).toEqual([false, true])
      }
    })

    it('takes the old and the new certificate of a provider while its keys change', async () => {
      const serial = new Uint8Array(16).fill(7)
      const made = await makeSelfSigned({ names: ['id.example.org'], days: 2, now: Date.now(), serial })
      const body = made.certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
      const known = await saml.metadata()
      const [key = ''] = /<md:KeyDescriptor[\s\S]*<\/md:KeyDescriptor>/.exec(known) ?? []
      const next = key.replace(/(X509Certificate>)[^<]+/, `$1${body}`)
      const tried = async (keys: string) => {
        const change = { metadataUrl: '', metadata: known.replace(key, keys) }
        const added = { name: `Keys ${keys.length}`, source: source(change) }
        const { data } = await send('/api/admin/authentication/providers', added, admin)
        const { url: there, key: mine } = await begin((data['provider'] as { id: number }).id)
        return (await finish(mine, await post(await saml.signIn(there, `of.${keys.length}`)))).error
      }
      expect(await tried(next + key)).toBeUndefined()
      expect(await tried(next)).toBe('SIGN_ON_ANSWER_INVALID')
    })

    it('signs people out although another provider does not answer', async () => {
      const gone = { name: 'Gone', source: source({ metadataUrl: 'https://localhost:9/' }) }
      const { data } = await send('/api/admin/authentication/providers', gone, admin)
      const providerIds = [(data['provider'] as { id: number }).id]
      const { data: listed } = await site.ask({ path: '/api/admin/authentication/providers', token: admin })
      const { providers } = listed as unknown as { readonly providers: ReadonlyArray<{ readonly id: number }> }
      const others = providers.map(({ id }) => id)
      providerIds.push(...others.filter((id) => !providerIds.includes(id)))
      await send('/api/admin/authentication/providers/order', { providerIds }, admin)
      const { data: signed } = await signIn('mei')
      await fetch((await saml.signOut('mei')).replace(HERE, site.url), { redirect: 'manual' })
      expect(await isSignedIn(signed['token'])).toBe(false)
      await send('/api/admin/authentication/providers/remove', { providerId: providerIds[0] ?? 0 }, admin)
    })

    it('believes no sign-out that the provider has not signed', async () => {
      const { data } = await signIn('mei')
      const address = new URL((await saml.signOut('mei')).replace(HERE, site.url))
      const changed = (work: (query: URLSearchParams) => void): string => {
        const copy = new URL(address)
        work(copy.searchParams)
        return copy.href
      }
      const forged = [
        changed((query) => query.delete('Signature')),
        changed((query) => query.set('Signature', 'AAAA')),
        changed((query) => query.set('RelayState', 'other')),
        changed((query) => query.set('SigAlg', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1')),
        changed((query) => query.append('SAMLRequest', query.get('SAMLRequest') ?? '')),
        changed((query) => query.set('SAMLRequest', 'AAAA')),
      ]
      for (const there of forged) {
        const { code } = (await (await fetch(there, { redirect: 'manual' })).json()) as { code: number }
        expect(errorByWire(code), there).toBe('SIGN_ON_ANSWER_INVALID')
      }
      expect(await isSignedIn(data['token'])).toBe(true)
    })

    it.each<[SamlFault, string]>([
      ['unsigned', 'SIGN_ON_ANSWER_INVALID'],
      ['response-signed', 'SIGN_ON_ANSWER_INVALID'],
      ['other-key', 'SIGN_ON_ANSWER_INVALID'],
      ['sha1', 'SIGN_ON_ANSWER_INVALID'],
      ['wrapped', 'SIGN_ON_ANSWER_INVALID'],
      ['wrapped-inside', 'SIGN_ON_ANSWER_INVALID'],
      ['two', 'SIGN_ON_ANSWER_INVALID'],
      ['comment', 'SIGN_ON_ANSWER_INVALID'],
      ['doctype', 'SIGN_ON_ANSWER_INVALID'],
      ['audience', 'SIGN_ON_ANSWER_INVALID'],
      ['recipient', 'SIGN_ON_ANSWER_INVALID'],
      ['destination', 'SIGN_ON_ANSWER_INVALID'],
      ['issuer', 'SIGN_ON_ANSWER_INVALID'],
      ['unasked', 'SIGN_ON_ANSWER_INVALID'],
      ['expired', 'SIGN_ON_ANSWER_INVALID'],
      ['early', 'SIGN_ON_ANSWER_INVALID'],
      ['transient', 'SIGN_ON_ANSWER_INVALID'],
      ['refused', 'SIGN_ON_REFUSED'],
    ])('lets nobody in by an answer that is %s', async (fault, error) => {
      expect((await signIn('admin.evil', fault)).error).toBe(error)
    })

    it('counts once, in the browser that began it, and for its own request alone', async () => {
      const [first, second] = [await begin(), await begin()]
      const form = await saml.signIn(first.url, 'mei')
      const answer = await post(form)
      expect((await finish('forged', answer)).error).toBe('SIGN_ON_STALE')
      expect((await finish(second.key, answer)).error).toBe('SIGN_ON_STALE')
      expect((await finish(first.key, answer)).error).toBeUndefined()
      expect((await finish(first.key, await post(form))).error).toBe('SIGN_ON_STALE')
      // The assertion of one sign-in with the state of another.
      const state = new URL(second.url).searchParams.get('RelayState') ?? ''
      const replayed = new URLSearchParams({ SAMLResponse: form.get('SAMLResponse') ?? '', RelayState: state })
      expect((await finish(second.key, await post(replayed))).error).toBe('SIGN_ON_ANSWER_INVALID')
      expect((await finish((await begin()).key, '?state=forged')).error).toBe('SIGN_ON_STALE')
    })

    it('takes over no account of another kind, and lets no locked one in', async () => {
      expect((await signIn('admin')).error).toBe('SIGN_ON_NO_ACCOUNT')
      const { data } = await signIn('locked')
      await send('/api/admin/users/lock', { ids: [data['userId']] }, admin)
      expect((await signIn('locked')).error).toBe('ACCOUNT_LOCKED')
    })
  })
}
