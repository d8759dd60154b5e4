import { secureRandom, systemClock } from '@godwit/base'
import { ACCOUNT_TYPE, encodePassword, errorByWire, SCIM_PATH } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchPasswordService } from '../../identity/providers/http/testing/password-service.ts'
import { rowOfNewUser } from '../../identity/users/index.ts'
import { timeOrderedIds } from '../../kernel/ids.ts'
import type { Site } from '../../security/testing/sites.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'
import { entra, okta, patchOf } from './testing/requests.ts'
import { ENGINES, openScimSite, scimSteps, WITHIN } from './testing/scim-site.ts'

const LISTED = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

for (const [engine, databaseUrl] of ENGINES)
  describe(`SCIM 2.0 on ${engine}`, () => {
    let smtp: Smtp
    let site: Site
    let admin = ''
    let token = ''
    const { scim, find, edit, userInfo, newToken } = scimSteps(() => ({ site, admin, token }))

    beforeAll(async () => {
      smtp = await launchSmtp()
      site = await openScimSite(await databaseUrl(), smtp.environment)
      admin = (await site.signIn('admin')).token
      token = await newToken()
      await edit({ enabled: true })
    })
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await smtp.stop()
    })

    it('describes itself', async () => {
      const types = await scim('GET', '/ResourceTypes')
      expect(types.body.Resources.map(({ id }) => id)).toEqual(['User', 'Group'])
      const schemas = await scim('GET', '/Schemas')
      for (const { id } of schemas.body.Resources) expect((await scim('GET', `/Schemas/${id}`)).body.id).toBe(id)
      expect((await scim('GET', '/Nothing')).status).toBe(404)
      expect((await scim('DELETE', '/Schemas')).headers['allow']).toBe('GET')
    })

    it('takes accounts as Entra ID sends them: looked up, made, changed, switched off and removed', async () => {
      expect(await find('Users', 'userName eq "mei.li@example.org"')).toMatchObject({
        ...{ schemas: [LISTED], totalResults: 0, Resources: [] },
      })
      const person = { userName: 'Mei.Li@example.org', given: 'Mei', family: 'Li' }
      const made = await scim('POST', '/Users', entra.user(person))
      expect(made.status).toBe(201)
      expect(made.headers['location']).toBe(made.body.meta.location)
      expect(made.headers['etag']).toBe('W/"1"')
      const { id } = made.body
      expect(made.body).toMatchObject({
        ...{ userName: 'Mei.Li@example.org', externalId: 'entra-mei', displayName: 'Mei Li', active: true },
        ...{ name: { givenName: 'Mei', familyName: 'Li' }, emails: [{ value: 'Mei.Li@example.org' }] },
        [ENTERPRISE]: { department: 'Research' },
      })
      for (const filter of [
        'userName eq "mei.li@EXAMPLE.org"',
        'externalId eq "entra-mei"',
        'emails.value eq "mei.li@example.org"',
        'emails[type eq "work" and value eq "mei.li@example.org"]',
        'active eq true and (displayName co "mei" or userName sw "nobody")',
        'not (active eq false) and name.familyName ew "I" and externalId pr',
      ])
        expect((await find('Users', filter)).Resources.map((found) => found.id)).toContain(id)
      expect((await find('Users', 'externalId eq "ENTRA-mei"')).totalResults).toBe(0)

      const again = await scim('POST', '/Users', entra.user({ ...person, userName: 'MEI.LI@example.org' }))
      expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
      const changed = await scim('PATCH', `/Users/${id}`, entra.update('li.mei@example.org'))
      expect(changed).toMatchObject({
        status: 200,
        body: {
          ...{ emails: [{ value: 'li.mei@example.org' }], phoneNumbers: [{ value: '+14255550100' }] },
          ...{ name: { givenName: 'Mei', familyName: 'Zhang' }, [ENTERPRISE]: { department: 'Design' } },
          meta: { version: 'W/"2"' },
        },
      })
      // What is so already leaves no trace.
      expect((await scim('PATCH', `/Users/${id}`, entra.update('li.mei@example.org'))).headers['etag']).toBe('W/"2"')
      expect((await scim('PATCH', `/Users/${id}`, entra.switchOff)).body).toMatchObject({ active: false })
      expect((await find('Users', 'active eq false')).Resources.map((found) => found.id)).toEqual([id])
      expect((await scim('PATCH', `/Users/${id}`, entra.switchOn)).body).toMatchObject({ active: true })
      const departments = await site.ask({ path: '/api/admin/departments', token: admin })
      expect(departments.text).toContain('"Design"')

      expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"1"' })).status).toBe(412)
      expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"4"' })).status).toBe(204)
      expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
      const removed = await site.ask({ path: '/api/admin/removed-users?text=mei&page=1&size=10', token: admin })
      expect(removed.data['rows']).toMatchObject([
        { account: 'Mei_Li_example_org', removedBy: 'SCIM 2.0', files: 'keep' },
      ])
      const next = await scim('POST', '/Users', entra.user(person))
      expect(next.status).toBe(201)
      expect(next.body.id).not.toBe(id)
      await site.withDatabase(async ({ db }) => {
        const rows = await db.selectFrom('operation_log').selectAll().where('actor', '=', 'SCIM 2.0').execute()
        expect(rows.map(({ operation }) => operation)).toEqual(
          ['add', 'edit', 'lock', 'unlock', 'remove', 'add'].map((what) => `user.${what}`),
        )
      })
    })

    it('takes accounts as Okta sends them, and whole replacements', async () => {
      const person = { userName: 'isaac.brock@example.org', given: 'Isaac', family: 'Brock' }
      const { body } = await scim('POST', '/Users', okta.user(person))
      const path = `/Users/${body.id}`
      expect((await scim('PATCH', path, okta.switchOff)).body).toMatchObject({ active: false })
      const back = { ...okta.user(person), id: body.id, displayName: 'I. Brock', emails: [] }
      const replaced = await scim('PUT', path, back, { 'if-match': 'W/"2"' })
      expect(replaced.body).toMatchObject({ active: true, displayName: 'I. Brock', externalId: '00u-isaac' })
      expect(replaced.body).not.toHaveProperty('emails')
      expect((await scim('PUT', path, back, { 'if-match': 'W/"2"' })).status).toBe(412)
      expect((await scim('GET', path, undefined, { 'if-none-match': 'W/"3"' })).status).toBe(304)
      // A person whose account has a name that is too long for one is called after the part before the @.
      const long = { userName: `ann@${'sub.'.repeat(8)}example.org`, given: 'Ann', family: 'Long' }
      expect((await scim('POST', '/Users', okta.user(long))).body).toMatchObject({ userName: long.userName })
    })

    it('keeps groups with their members', async () => {
      const ids = (await find('Users', 'userName co "example.org"')).Resources.map(({ id }) => id)
      const [mei = '', isaac = '', ann = ''] = ids
      const { body } = await scim('POST', '/Groups', { ...entra.group('Research'), members: [{ value: mei }] })
      const path = `/Groups/${body.id}`
      const members = async () => (await scim('GET', path)).body.members.map(({ value }) => value).toSorted()
      expect((await scim('POST', '/Groups', entra.group('research'))).body).toMatchObject({ scimType: 'uniqueness' })
      expect((await find('Groups', 'displayName eq "RESEARCH"')).Resources).toMatchObject([{ id: body.id }])
      expect((await find('Groups', `members.value eq "${mei}"`)).totalResults).toBe(1)
      expect((await scim('PATCH', path, entra.join(isaac, ann))).status).toBe(204)
      expect(await members()).toEqual([mei, isaac, ann].toSorted())
      expect((await scim('GET', `/Users/${isaac}`)).body).toMatchObject({
        groups: [{ value: body.id, display: 'Research' }],
      })
      await scim('PATCH', path, okta.leave(mei))
      await scim('PATCH', path, entra.leave(isaac))
      expect(await members()).toEqual([ann])
      await scim('PATCH', path, okta.rename(body.id, 'Science'))
      await scim('PATCH', path, okta.members(mei, isaac))
      expect((await scim('GET', path)).body).toMatchObject({ displayName: 'Science', externalId: 'entra-Research' })
      expect(await members()).toEqual([mei, isaac].toSorted())
      const without = await scim('GET', `${path}?excludedAttributes=members`)
      expect(without.body).not.toHaveProperty('members')
      const absent = await scim('PATCH', path, okta.join('nobody', 'Nobody'))
      expect([absent.status, absent.body.scimType]).toEqual([400, 'invalidValue'])
      expect((await scim('DELETE', path)).status).toBe(204)
      expect((await scim('GET', path)).status).toBe(404)
    })

    it('lets its people in by a provider under the same name, and by invitation', async () => {
      const person = { userName: 'wei@example.org', given: 'Wei', family: 'Chen' }
      const { id } = (await scim('POST', '/Users', entra.user(person))).body
      const answer = { ok: true, account: person.userName }
      await using service = await launchPasswordService({ [person.userName]: { password: 'secret of wei', answer } })
      const settings = {
        ...{ url: service.url, proof: 'signature', ca: service.ca, inside: true, groups: [] },
        ...{ permission: 6, createAtSignIn: false },
      }
      const json = { name: 'Portal', secret: service.secret, source: { kind: 'http', settings } }
      const added = await site.ask({ method: 'POST', path: '/api/admin/authentication/providers', token: admin, json })
      expect(added.code).toBe(200)
      await expect(site.signIn(person.userName, 'another one')).rejects.toThrow('sign-in of wei')
      const session = await site.signIn(person.userName, 'secret of wei')
      expect(session.userId).toBe(id)
      const { data } = await site.ask({ path: '/api/admin/users?text=wei', token: admin })
      expect(data['rows']).toMatchObject([{ id, type: ACCOUNT_TYPE.external, source: { name: 'Portal' } }])
      await scim('PATCH', `/Users/${id}`, entra.switchOff)
      await vi.waitFor(async () => expect((await userInfo(session.token)).status).toBe(400), WITHIN)
      await expect(site.signIn(person.userName, 'secret of wei')).rejects.toThrow('sign-in of wei')

      expect((await edit({ newAccounts: 'invitation' })).code).toBe(200)
      const invited = await scim(
        'POST',
        '/Users',
        okta.user({ userName: 'zoe@example.org', given: 'Zoe', family: 'X' }),
      )
      expect(invited.status).toBe(201)
      const linkTo = async (address: string) =>
        /\/join#(\S+)/.exec((await smtp.mailTo(address)).parsed.text ?? '')?.[1] ?? ''
      const join = (link: string) => {
        const json = { token: link, password: encodePassword('Moonlight-77') }
        return site.ask({ method: 'POST', path: '/api/user/invitation/accept', json })
      }
      const astray = await linkTo('zoe@example.org')
      const moved = patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: 'zoe.x@example.org' })
      expect((await scim('PATCH', `/Users/${invited.body.id}`, moved)).status).toBe(200)
      expect(errorByWire((await join(astray)).code ?? 0)).toBe('INVITATION_INVALID')
      expect((await join(await linkTo('zoe.x@example.org'))).data).toMatchObject({ userId: invited.body.id })
      expect((await scim('POST', '/Users', { ...okta.user(person), userName: 'kim', emails: [] })).body).toMatchObject({
        ...{ status: '400', scimType: 'invalidValue', detail: expect.stringContaining('emails.value') as string },
      })
      await edit({ newAccounts: 'provider' })
    })

    it('answers every bad request with what is wrong, and changes nothing', async () => {
      const { id } = (await find('Users', 'userName eq "isaac.brock@example.org"')).Resources[0] ?? { id: '' }
      const user = okta.user({ userName: 'new@example.org', given: 'N', family: 'N' })
      const patch = (...operations: readonly object[]) => ['PATCH', `/Users/${id}`, patchOf(...operations)] as const
      const tables = ['users', 'scim_accounts', 'user_groups', 'group_members', 'departments', 'operation_log'] as const
      const held = () =>
        site.withDatabase(({ db }) => Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
      const before = await held()
      const bad: ReadonlyArray<readonly [number, string | undefined, readonly [string, string, unknown?]]> = [
        [400, 'invalidFilter', ['GET', '/Users?filter=userName']],
        [400, 'invalidFilter', ['GET', `/Users?filter=${encodeURIComponent('password eq "x"')}`]],
        [400, 'invalidFilter', ['GET', `/Users?filter=${encodeURIComponent('userName gt "x"')}`]],
        [400, 'invalidFilter', ['GET', `/Users?filter=${encodeURIComponent(`userName eq "${'\n'.repeat(60)}`)}`]],
        [400, 'invalidFilter', ['GET', `/Users?filter=${encodeURIComponent('a eq 1 or '.repeat(100))}a`]],
        [400, 'invalidValue', ['GET', '/Users?startIndex=x']],
        [400, 'invalidSyntax', ['POST', '/Users', [user]]],
        [400, 'invalidSyntax', ['POST', '/Users', { ...user, schemas: ['urn:other'] }]],
        [400, 'invalidValue', ['POST', '/Users', { ...user, userName: '' }]],
        [400, 'invalidValue', ['POST', '/Users', { ...user, userName: '李伟明' }]],
        [400, 'invalidValue', ['POST', '/Users', { ...user, active: 'perhaps' }]],
        [400, 'invalidValue', ['POST', '/Users', { ...user, emails: [{ value: 'not an address' }] }]],
        [400, 'invalidValue', ['POST', '/Users', { ...user, externalId: 'x'.repeat(256) }]],
        [409, 'uniqueness', ['POST', '/Users', { ...user, userName: 'admin' }]],
        [409, 'uniqueness', ['POST', '/Users', { ...user, emails: [{ value: 'zoe.x@example.org' }] }]],
        [400, 'invalidSyntax', ['PATCH', `/Users/${id}`, { Operations: [] }]],
        [400, 'invalidSyntax', patch({ op: 'move', path: 'active' })],
        [400, 'invalidPath', patch({ op: 'replace', path: '__proto__.isAdmin', value: true })],
        [400, 'invalidPath', patch({ op: 'replace', path: 'emails[type', value: 'x' })],
        [400, 'invalidPath', patch({ op: 'replace', path: 'emails[type eq].value', value: 'x' })],
        [400, 'noTarget', patch({ op: 'remove' })],
        [400, 'noTarget', patch({ op: 'replace', path: 'emails[value co "x"].value', value: 'x@example.org' })],
        [400, 'mutability', patch({ op: 'replace', path: 'id', value: '1' })],
        [400, 'invalidValue', patch({ op: 'remove', path: 'userName' })],
        [409, 'uniqueness', patch({ op: 'replace', path: 'userName', value: 'admin' })],
        [413, undefined, ['POST', '/Users', { ...user, displayName: 'x'.repeat(1_100_000) }]],
        [404, undefined, ['GET', '/Groups/7777']],
        [404, undefined, ['PATCH', '/Users/nobody', okta.switchOff]],
      ]
      for (const [status, scimType, [method, path, json]] of bad) {
        const answer = await scim(method, path, json)
        expect([method, path.slice(0, 60), answer.status, answer.body.scimType]).toEqual([
          ...[method, path.slice(0, 60), status, scimType],
        ])
      }
      const polluted = patchOf({ op: 'replace', path: 'name', value: JSON.parse('{"__proto__":{"a":1}}') as object })
      expect((await scim('PATCH', `/Users/${id}`, polluted)).status).toBe(200)
      const text = await site.ask({
        ...{
          method: 'POST',
          path: `${SCIM_PATH}/Users`,
          token,
          body: 'x=1',
          headers: { 'content-type': 'text/plain' },
        },
      })
      expect(text.status).toBe(415)
      expect(await held()).toEqual(before)
    })

    it('settles changes of one account that meet, and makes one of two accounts of a name', async () => {
      const user = okta.user({ userName: 'twin@example.org', given: 'T', family: 'W' })
      const twins = await Promise.all([1, 2, 3].map(() => scim('POST', '/Users', user)))
      expect(twins.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
      const { id } = twins.find(({ status }) => status === 201)?.body ?? { id: '' }
      const parts = ['givenName', 'familyName', 'formatted'] as const
      const changes = parts.map((part) => patchOf({ op: 'replace', path: `name.${part}`, value: `${part}!` }))
      const answers = await Promise.all(changes.map((change) => scim('PATCH', `/Users/${id}`, change)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({
        displayName: 'formatted!',
        name: { givenName: 'givenName!', familyName: 'familyName!' },
      })
    })

    it('pages through ten thousand accounts', async () => {
      const ids = timeOrderedIds(systemClock, secureRandom)
      const deps = { ids, clock: systemClock }
      await site.withDatabase(async ({ db }) => {
        for (let at = 0; at < 10_000; at += 500) {
          const rows = Array.from({ length: 500 }, (_, more) =>
            rowOfNewUser(deps, { account: `crowd_${at + more}`, email: '' }, false),
          )
          await db.insertInto('users').values(rows).execute()
        }
      })
      const begun = performance.now()
      const seen = new Set<string>()
      for (let first = 1; first <= 10_000; first += 1000) {
        const { body } = await scim('GET', `/Users?startIndex=${first}&count=1000&filter=userName%20sw%20%22crowd_%22`)
        expect(body.totalResults).toBe(10_000)
        for (const { id } of body.Resources) seen.add(id)
      }
      expect(performance.now() - begun).toBeLessThan(20_000 + BUSY_MS)
      expect((await find('Users', 'userName eq "crowd_4711"')).totalResults).toBe(1)
      expect(seen.size).toBe(10_000)
    })
  })
