import { adminUserRoutes, encodePassword, PERMISSION } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Site } from '../../security/testing/sites.ts'
import { DATABASES, openPeopleSite, peopleSteps } from './testing/people-site.ts'

for (const { name, url } of DATABASES) {
  describe(`people in the console on ${name}`, () => {
    let site: Site
    let admin = ''
    let helper = ''
    const { get, send, add, rowsOf, idOf, logOf } = peopleSteps(() => ({ site, admin }))

    beforeAll(async () => {
      ;({ site, admin, helper } = await openPeopleSite(await url()))
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    it('are added with their fields, found and signed in', async () => {
      const email = 'mei@example.org'
      const added = await add('mei', {
        name: 'Mei Lin',
        email,
        phone: '+4930123456',
        permission: PERMISSION.list,
        ownQuotaBytes: 2 ** 40,
      })
      const user = {
        account: 'mei',
        name: 'Mei Lin',
        email,
        phone: '+4930123456',
        ownQuotaBytes: 2 ** 40,
        locked: false,
      }
      expect(added.data['user']).toMatchObject({ ...user, standing: 'user', lastSignInAt: null, revision: 1 })
      expect((await site.signIn('mei')).token).not.toBe('')
      const found = (await get('users?text=MEI@EX')).data
      expect(found).toMatchObject({ total: 1, rows: [{ account: 'mei', online: true, quotaBytes: 2 ** 40 }] })
      expect((await rowsOf('text=mei'))[0]?.lastSignInAt).toBeGreaterThan(0)
      for (const [more, code] of [
        [{ account: 'Mei' }, 1004],
        [{ account: 'x' }, 1002],
        [{ email: 'MEI@example.org' }, 1014],
        [{ email: 'nobody' }, 4029],
        [{ phone: '12' }, 4035],
        [{ departmentId: 77 }, 6030],
        [{ password: encodePassword('short') }, 5001],
        [{ isAdmin: true }, 400],
      ] as const) {
        expect((await add('tom', more)).code, JSON.stringify(more)).toBe(code)
      }
      expect((await get('users?text=tom')).data['total']).toBe(0)
      const [row, ...more] = await logOf(await idOf('mei'))
      expect(more).toEqual([])
      expect(row).toMatchObject({
        operation: 'user.add',
        actor: 'admin',
        result: 'ok',
        target: 'mei',
        state_before: '',
      })
      expect(JSON.parse(row?.state_after ?? '')).toMatchObject({ email, password: '***' })
      expect(row?.state_after).not.toContain(PASSWORD)
    })

    it('list by page, order, state and text, whatever characters the text has', async () => {
      for (const number of [1, 2, 3]) await add(`list_${number}`)
      const rows = async (query: string) => (await rowsOf(query)).map(({ account }) => account)
      expect(await rows('text=list_&order=desc')).toEqual(['list_3', 'list_2', 'list_1'])
      expect(await rows('text=%25')).toEqual([])
      expect(await rows('text=t_1')).toEqual(['list_1'])
      expect(await rows('account=List_1')).toEqual(['list_1'])
      expect(await rows('account=list_')).toEqual([])
      expect(await rows('state=locked')).toEqual([])
      expect(await rows('state=online&sort=account')).toEqual(['admin', 'helper', 'mei'])
      for (const sort of ['account', 'name', 'email', 'created', 'lastSignIn']) {
        expect((await rows(`sort=${sort}&size=50`)).length).toBeGreaterThan(4)
      }
      expect((await get('users?size=9')).code).toBe(400)
      expect((await get('users?size=51')).code).toBe(400)
      expect((await get('users/unknown')).code).toBe(5402)
    })

    it('are edited field by field; a second save learns what changed meanwhile and loses nothing', async () => {
      await add('edited')
      const id = await idOf('edited')
      const first = await send('PATCH', `users/${id}`, { revision: 1, name: 'First' })
      expect(first.data['user']).toMatchObject({ name: 'First', revision: 2 })
      const second = await send('PATCH', `users/${id}`, { revision: 1, phone: '13900000000' })
      expect(second).toMatchObject({ code: 6060, data: { revision: 2, changed: { name: 'First' }, by: ['admin'] } })
      const again = await send('PATCH', `users/${id}`, { revision: 2, phone: '13900000000', email: 'e@example.org' })
      expect(again.data['user']).toMatchObject({ name: 'First', phone: '13900000000', email: 'e@example.org' })
      expect((await send('PATCH', `users/${id}`, { revision: 3, email: 'mei@example.org' })).code).toBe(1014)
      const log = await logOf(id)
      expect(log.map(({ operation, result }) => `${operation} ${result}`)).toEqual([
        'user.add ok',
        'user.edit ok',
        'user.edit EDIT_CONFLICT',
        'user.edit ok',
        'user.edit EMAIL_EXISTS',
      ])
      expect(JSON.parse(log[1]?.state_before ?? '')).toEqual({ name: 'edited', revision: 1 })
    })

    it('are locked, unlocked and removed many at once, and those who may not be are named', async () => {
      const { token } = await site.signIn('list_1')
      const ids = [await idOf('list_1'), await idOf('list_2'), await idOf('admin'), await idOf('helper')]
      const locked = await send('POST', 'users/lock', { ids }, helper)
      expect(locked.data).toMatchObject({
        changed: 2,
        failed: [{ account: 'admin', code: 1008 }, { account: 'helper' }],
      })
      expect((await site.ask({ path: '/api/user/info', token })).code).toBe(1009)
      expect((await send('POST', 'users/unlock', { filter: { text: 'list_', state: 'locked' } })).data['changed']).toBe(
        2,
      )
      expect((await send('POST', 'users/remove', { filter: { text: 'list_' } }, helper)).data['changed']).toBe(3)
      expect((await get('users?text=list_')).data['total']).toBe(0)
      expect((await logOf(ids[0] ?? '')).map(({ operation }) => operation)).toEqual([
        'user.add',
        'user.lock',
        'user.unlock',
        'user.remove',
      ])
    })

    it('are never edited by people beside or below, nor given what the giver does not have', async () => {
      const admins = await Promise.all(['admin', 'helper'].map(idOf))
      for (const id of admins) {
        expect((await send('PATCH', `users/${id}`, { revision: 1, name: 'x' }, helper)).code).toBe(1008)
      }
      const beyond = await add('given', { permission: PERMISSION.list | PERMISSION.delete }, helper)
      expect(beyond).toMatchObject({ code: 1008, data: { flags: PERMISSION.delete } })
      expect((await add('given', { permission: PERMISSION.list }, helper)).code).toBe(200)
      const id = await idOf('given')
      const more = { revision: 1, permission: PERMISSION.list | PERMISSION.upload }
      expect((await send('PATCH', `users/${id}`, more, helper)).code).toBe(1008)
      expect((await send('PATCH', `users/${id}`, more)).code).toBe(200)
      // What a higher administrator gave may stay when a lower one changes something else.
      expect((await send('PATCH', `users/${id}`, { ...more, revision: 2, name: 'kept' }, helper)).code).toBe(200)
    })

    it('lose their sessions when an administrator sets their password', async () => {
      const id = await idOf('edited')
      const { token } = await site.signIn('edited')
      const json = { revision: 3, password: encodePassword('Moonlight-77'), mustReset: true }
      expect((await send('PATCH', `users/${id}`, json)).data['user']).toMatchObject({ mustReset: true })
      expect((await site.ask({ path: '/api/user/info', token })).code).toBe(1009)
    })

    it('come in from rows, after a dry run that writes none; each wrong row is named with its field', async () => {
      const password = encodePassword(PASSWORD)
      const rows = [
        { account: 'row_1', password, email: 'row@example.org', permission: PERMISSION.list },
        { account: 'row_1', password },
        { account: 'row_2', password, email: 'ROW@example.org' },
        { account: 'row_3', password: encodePassword('x') },
        { account: 'x', password },
        { account: 'row_4', password, admin: true },
        { account: 'row_5', password, departmentId: 9 },
        { account: 'mei', password },
        { account: 'row_6', password },
        { account: 'row_7', invite: true, email: 'row_7@example.org' },
        { account: 'row_8', password, name: 'x'.repeat(33) },
      ]
      const wrong = [
        ...[
          { row: 1, code: 1004, field: 'account' },
          { row: 2, code: 1014, field: 'email' },
        ],
        ...[
          { row: 3, code: 5001, field: 'password' },
          { row: 4, code: 1002, field: 'account' },
        ],
        ...[
          { row: 5, code: 400 },
          { row: 6, code: 6030, field: 'departmentId' },
          { row: 7, code: 1004 },
          { row: 9, code: 5430 },
          { row: 10, code: 4022, field: 'name' },
        ],
      ]
      const failures = (data: unknown) =>
        adminUserRoutes.import.reply.parse(data).rows.filter(({ result }) => result === 'failed')
      const accounts = () => site.withDatabase(({ db }) => db.selectFrom('users').select(['id', 'revision']).execute())
      const imports = () =>
        site.withDatabase(({ db }) =>
          db
            .selectFrom('operation_log')
            .select('target')
            .where('operation', '=', 'user.import')
            .orderBy('seq')
            .execute(),
        )
      const before = await accounts()
      const dry = await send('POST', 'users/import', { rows, dryRun: true })
      expect(failures(dry.data)).toMatchObject(wrong)
      expect(await accounts()).toEqual(before)
      expect(await imports()).toEqual([])
      const wet = await send('POST', 'users/import', { rows, dryRun: false })
      expect(wet.data['created']).toBe(2)
      expect(failures(wet.data)).toMatchObject(wrong)
      expect((await imports()).map(({ target }) => target)).toEqual([
        expect.stringMatching(/^row_/),
        expect.stringMatching(/^row_/),
      ])
      expect((await get('users?text=row_')).data['total']).toBe(2)
      await add('formula', { name: '=1+1', email: 'f@example.org' })
      const csv = (await get('users/export?text=formula')).text.split('\r\n')
      expect(csv[0]).toMatch(/^\uFEFFaccount,name,email,phone,permission,ownQuotaBytes,/)
      expect(csv[1]).toContain(`formula,"'=1+1",f@example.org,`)
      expect((await get('users/export')).text.split('\r\n').length).toBe(Number((await get('users')).data['total']) + 2)
      const exports = (await get('log/operations?operation=user.export')).data['rows']
      expect(exports).toContainEqual(expect.objectContaining({ actor: 'admin', after: { text: 'formula' } }))
    })
  })
}
