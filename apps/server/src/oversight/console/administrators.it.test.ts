import { adminUserRoutes, encodePassword, ERRORS } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'

const DAY_MS = 24 * 3_600_000

describe('the super administrator', () => {
  let site: Site
  let [admin, deputy, deputyId] = ['', '', '']
  beforeAll(async () => {
    site = await openSite()
    admin = (await site.signIn('admin')).token
    await site.addUser('deputy')
    const login = await site.signIn('deputy')
    deputy = login.token
    deputyId = login.userId
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const userOf = async (id: string, token: string) => {
    const { data } = await site.ask({ path: `/api/admin/users/${id}`, token })
    return adminUserRoutes.get.reply.parse(data).user
  }
  const edit = async (id: string, change: object, token = admin) => {
    const { revision } = await userOf(id, token)
    return site.ask({ method: 'PATCH', path: `/api/admin/users/${id}`, token, json: { revision, ...change } })
  }
  const handOn = (userId: string) => {
    const json = { userId, password: encodePassword(site.godwit.administrator.password) }
    return site.ask({ method: 'POST', path: '/api/admin/administrators/transfer-super', token: admin, json })
  }

  it('can sign in: the place goes to no account that has ended or has yet to begin, and loses its end', async () => {
    for (const period of [
      { validFrom: null, validUntil: Date.now() - DAY_MS },
      { validFrom: Date.now() + DAY_MS, validUntil: null },
    ]) {
      expect((await edit(deputyId, period)).code).toBe(200)
      expect((await handOn(deputyId)).code).toBe(ERRORS.ACCOUNT_NOT_FOUND.wire)
    }
    expect((await edit(deputyId, { validFrom: null, validUntil: Date.now() + DAY_MS })).code).toBe(200)
    expect((await handOn(deputyId)).code).toBe(200)
    deputy = (await site.signIn('deputy', PASSWORD)).token
    expect(await userOf(deputyId, deputy)).toMatchObject({ standing: 'super', validUntil: null })
    for (const period of [{ validUntil: Date.now() - DAY_MS }, { validFrom: Date.now() + DAY_MS }]) {
      const ended = await edit(deputyId, period, deputy)
      expect(ended).toMatchObject({ code: 1008, data: { reason: 'super-administrator' } })
    }
  })
})
