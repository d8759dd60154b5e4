import { errorByWire, SCIM_PATH } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import type { Site } from '../../security/testing/sites.ts'
import { entra, okta, patchOf } from './testing/requests.ts'
import { API, ENGINES, openScimSite, scimSteps, WITHIN } from './testing/scim-site.ts'

for (const [engine, databaseUrl] of ENGINES)
  describe(`SCIM 2.0 on ${engine}`, () => {
    let site: Site
    let admin = ''
    let token = ''
    const { scim, find, connection, edit, userInfo, newToken } = scimSteps(() => ({ site, admin, token }))

    beforeAll(async () => {
      site = await openScimSite(await databaseUrl())
      admin = (await site.signIn('admin')).token
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    it('is closed until it is switched on, and open to its token alone', async () => {
      expect(await connection()).toMatchObject({ enabled: false, hasToken: false, usedAt: null, accounts: 0 })
      expect((await scim('GET', '/Users')).status).toBe(404)
      await site.addUser('deputy')
      await administer(site, 'deputy', ['users.edit', 'settings.edit'])
      const deputy = (await site.signIn('deputy')).token
      expect((await site.ask({ method: 'POST', path: `${API}/token`, token: deputy })).code).toBe(1008)
      const first = await newToken()
      expect((await edit({ enabled: true })).code).toBe(200)
      token = await newToken()
      expect(token).toMatch(/^gds_[\w-]{43}$/)
      expect(JSON.stringify(await connection())).not.toContain(token)
      for (const wrong of [undefined, first, admin, `${token}x`]) {
        const answer = await site.ask({ path: `${SCIM_PATH}/Users`, token: wrong })
        expect(answer.status).toBe(401)
        expect(answer.headers['content-type']).toMatch(/^application\/scim\+json/)
        expect(JSON.parse(answer.text)).toMatchObject({
          ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' },
        })
      }
      expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true } })
      // It is no credential anywhere else.
      expect((await userInfo(token)).status).toBe(400)
      expect((await connection()).usedAt).not.toBeNull()
      const stale = await site.ask({ method: 'PATCH', path: API, token: admin, json: { revision: 1, enabled: false } })
      expect(errorByWire(stale.code ?? 0)).toBe('EDIT_CONFLICT')
    })

    it('ends what a person has open within seconds of switching them off, and leaves the lock of an administrator', async () => {
      await site.addUser('tom')
      const tom = await site.signIn('tom')
      const [found] = (await find('Users', 'userName eq "tom"')).Resources
      expect(found?.id).toBe(tom.userId)
      const path = `/Users/${tom.userId}`
      await scim('PATCH', path, okta.switchOff)
      await vi.waitFor(async () => expect((await userInfo(tom.token)).status).toBe(400), WITHIN)
      await scim('PATCH', path, okta.switchOn)
      expect((await site.signIn('tom')).userId).toBe(tom.userId)
      const lock = { ids: [tom.userId] }
      expect((await site.ask({ method: 'POST', path: '/api/admin/users/lock', token: admin, json: lock })).code).toBe(
        200,
      )
      expect((await scim('PATCH', path, okta.switchOn)).body).toMatchObject({ active: false })
      await expect(site.signIn('tom')).rejects.toThrow('sign-in of tom')
    })

    it.each(['an unlock by the same', 'its own lock'])(
      'leaves the lock of an administrator that came after %s',
      async (before) => {
        const account = before === 'its own lock' ? 'ute' : 'uwe'
        await site.addUser(account)
        const { userId } = await site.signIn(account)
        const path = `/Users/${userId}`
        const byHand = async (what: 'lock' | 'unlock') => {
          const json = { ids: [userId] }
          expect((await site.ask({ method: 'POST', path: `/api/admin/users/${what}`, token: admin, json })).code).toBe(
            200,
          )
        }
        expect((await scim('PATCH', path, okta.switchOff)).body).toMatchObject({ active: false })
        if (before === 'an unlock by the same') await byHand('unlock')
        await byHand('lock')
        expect((await scim('PATCH', path, okta.switchOn)).body).toMatchObject({ active: false })
        await expect(site.signIn(account)).rejects.toThrow(`sign-in of ${account}`)
        await byHand('unlock')
        expect((await site.signIn(account)).userId).toBe(userId)
      },
    )

    it('changes nobody who administers the site', async () => {
      for (const account of ['admin', 'deputy']) {
        const [found] = (await find('Users', `userName eq "${account}"`)).Resources
        const path = `/Users/${found?.id ?? ''}`
        for (const change of [okta.switchOff, patchOf({ op: 'replace', path: 'displayName', value: 'Owned' })])
          expect((await scim('PATCH', path, change)).status).toBe(403)
        expect((await scim('DELETE', path)).status).toBe(403)
        const group = { ...entra.group(`of ${account}`), members: [{ value: found?.id }] }
        expect((await scim('POST', '/Groups', group)).status).toBe(403)
      }
      expect((await userInfo(admin)).code).toBe(200)
      expect((await find('Groups', 'displayName sw "of "')).totalResults).toBe(0)
    })

    it('takes no more wrong tokens than it should, and closes when it is switched off', async () => {
      const guess = async () => (await site.ask({ path: `${SCIM_PATH}/Users`, token: `gds_${'x'.repeat(43)}` })).status
      const answers: number[] = []
      for (let at = 0; at < 40; at++) answers.push(await guess())
      expect(answers).toContain(401)
      expect(answers.at(-1)).toBe(429)
      expect((await scim('GET', '/Users?count=0')).status).toBe(200)
      await edit({ enabled: false })
      expect((await scim('GET', '/Users?count=0')).status).toBe(404)
    })
  })
