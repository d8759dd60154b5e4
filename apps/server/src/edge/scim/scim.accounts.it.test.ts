import { adminScimRoutes, adminUserRoutes, SCIM_PATH } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { departmentsStore } from '../../identity/departments/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { atOnce } from '../../testing/at-once.ts'
import { entra, okta } from './testing/requests.ts'

const API = '/api/admin/authentication/scim'

describe('accounts by SCIM 2.0, on MariaDB', () => {
  let smtp: Smtp
  let site: Site
  let admin = ''
  let token = ''

  beforeAll(async () => {
    smtp = await launchSmtp()
    const env = { GODWIT_PUBLIC_URL: 'https://files.example.org', ...smtp.environment }
    site = await openSite({ databaseUrl: await mariadbUrl(), env })
    admin = (await site.signIn('admin')).token
    const { data } = await site.ask({ method: 'POST', path: `${API}/token`, token: admin })
    token = adminScimRoutes.createToken.reply.parse(data).token
    await edit({ enabled: true })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await smtp.stop()
  })

  async function edit(change: object) {
    const now = adminScimRoutes.detail.reply.parse((await site.ask({ path: API, token: admin })).data)
    const json = { revision: now.revision, ...change }
    expect((await site.ask({ method: 'PATCH', path: API, token: admin, json })).code).toBe(200)
  }
  async function scim(method: string, path: string, json: unknown) {
    const headers = { 'content-type': 'application/scim+json' }
    const answer = await site.ask({ method, path: SCIM_PATH + path, token, headers, body: JSON.stringify(json) })
    return { status: answer.status, id: (JSON.parse(answer.text) as { readonly id: string }).id }
  }
  const invitationOf = async (account: string) => {
    const { data } = await site.ask({ path: `/api/admin/users?text=${account}`, token: admin })
    return adminUserRoutes.list.reply.parse(data).rows[0]?.invitation
  }

  it('are made although somebody makes their department in that moment', async () => {
    const names = { name: 'Research', name_key: 'research' }
    const row = { ...names, parent_id: 0, source: 'scim' as const, revision: 1, created_at: 0 }
    const outcomes = await site.withDatabase(({ db }) => {
      const first = (pause: () => Promise<void>) =>
        inTransaction(db, async (tx) => {
          await departmentsStore.insert(tx, row)
          await pause()
        })
      const user = entra.user({ userName: 'lea@example.org', given: 'Lea', family: 'Roy' })
      return atOnce(db, first, () => scim('POST', '/Users', user))
    })
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled', value: { status: 201 } }])
    const departments = await site.withDatabase(({ db }) => departmentsStore.all(db))
    expect(departments.map(({ name }) => name)).toEqual(['Research'])
  })

  it('are invited when they are switched on, once, where they came switched off', async () => {
    await edit({ newAccounts: 'invitation' })
    const person = { userName: 'ute@example.org', given: 'Ute', family: 'Ott' }
    const { id, status } = await scim('POST', '/Users', { ...okta.user(person), active: false })
    expect(status).toBe(201)
    expect(await invitationOf('ute')).toBe('over')
    expect((await scim('PATCH', `/Users/${id}`, okta.switchOn)).status).toBe(200)
    expect((await smtp.mailTo('ute@example.org')).parsed.text).toMatch(/\/join#\S+/)
    const sent = () => site.withDatabase(({ db }) => db.selectFrom('invitations').selectAll().execute())
    const before = await sent()
    expect(before).toHaveLength(1)
    await scim('PATCH', `/Users/${id}`, okta.switchOff)
    await scim('PATCH', `/Users/${id}`, okta.switchOn)
    expect(await sent()).toEqual(before)
  })
})
