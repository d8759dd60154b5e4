import {
  adminLogRoutes,
  administratorRoutes,
  adminSessionRoutes,
  adminViewRoutes,
  encodePassword,
  ERRORS,
  PERMISSION,
  VIEWS_MAX,
} from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]
const ACCOUNTS = ['auditor', 'deputy', 'member', 'outsider'] as const
type Account = (typeof ACCOUNTS)[number]

for (const { name, url } of DATABASES) {
  describe(`the console on ${name}`, () => {
    let site: Site
    let admin = ''
    const tokens = new Map<string, string>()
    const ids = new Map<string, string>()

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      admin = (await site.signIn('admin')).token
      for (const account of ACCOUNTS) {
        await site.addUser(account)
        const login = await site.signIn(account)
        tokens.set(account, login.token)
        ids.set(account, login.userId)
      }
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const token = (who: Account | 'admin') => (who === 'admin' ? admin : (tokens.get(who) ?? ''))
    const id = (who: Account) => ids.get(who) ?? ''
    const get = (path: string, who: Account | 'admin' = 'admin') =>
      site.ask({ path: `/api/admin/${path}`, token: token(who) })
    const send = (method: string, path: string, json: object, who: Account | 'admin' = 'admin') =>
      site.ask({ method, path: `/api/admin/${path}`, token: token(who), json })
    const post = (path: string, json: object, who: Account | 'admin' = 'admin') => send('POST', path, json, who)
    /** A change of a role or membership holds within a second on every node. */
    const soon = async (work: () => Promise<void>) =>
      await expect.poll(() => work().then(() => true, String), { timeout: 5000 }).toBe(true)

    it('lets the super administrator alone make roles and administrators, by the rules of consistency', async () => {
      const wanted = { name: 'Auditors', rights: ['log.view', 'log.export'], auditScope: 'own', folderScope: 'own' }
      const role = (await post('roles', wanted)).data['role'] as unknown as { id: number }
      expect(role).toMatchObject({ ...wanted, administrators: 0, revision: 1 })
      expect((await post('roles', { ...wanted, name: 'AUDITORS' })).code).toBe(6011)
      expect((await post('roles', { ...wanted, name: 'x', rights: ['roles.edit'] })).code).toBe(400)
      expect((await post('administrators', { userId: id('auditor'), roleId: 99 })).code).toBe(6010)
      expect((await post('administrators', { userId: id('auditor'), roleId: role.id })).code).toBe(200)
      expect((await post('administrators', { userId: id('auditor'), roleId: role.id })).code).toBe(6021)
      await soon(async () =>
        expect((await get('me', 'auditor')).data).toMatchObject({
          standing: 'role',
          rights: ['log.view', 'log.export'],
        }),
      )
      expect((await get('roles', 'auditor')).code).toBe(1008)
      expect((await post('roles/remove', { roleId: role.id })).code).toBe(6012)
      expect((await get('users', 'auditor')).code).toBe(1008)
      const rights = ['users.view', ...wanted.rights]
      expect((await send('PATCH', `roles/${role.id}`, { revision: 1, rights })).data['role']).toMatchObject({
        rights,
        revision: 2,
      })
      expect(await send('PATCH', `roles/${role.id}`, { revision: 1, auditScope: 'all' })).toMatchObject({
        ...{ code: 6060, data: { revision: 2, changed: { rights } } },
      })
      await soon(async () => expect((await get('users', 'auditor')).code).toBe(200))
      const { rows } = administratorRoutes.list.reply.parse((await get('administrators')).data)
      expect(rows).toMatchObject([
        { account: 'admin', standing: 'super', role: null },
        { account: 'auditor', standing: 'role', role: { name: 'Auditors' }, createdBy: 'admin', online: true },
      ])
    })

    it('hands the one super administrator’s place on, with the password, and never has two or none', async () => {
      expect((await post('administrators/remove', { userId: rowsId('admin') })).code).toBe(6022)
      const wrong = { userId: id('deputy'), password: encodePassword('Wrong-pass-1') }
      expect((await post('administrators/transfer-super', wrong)).code).toBe(1023)
      const password = encodePassword(site.godwit.administrator.password)
      expect((await post('administrators/transfer-super', { userId: id('deputy'), password })).code).toBe(200)
      await soon(async () => expect((await get('me', 'deputy')).data).toMatchObject({ standing: 'super' }))
      await soon(async () => expect((await get('me', 'admin')).code).toBe(1008))
      const back = { userId: rowsId('admin'), password: encodePassword(PASSWORD) }
      expect((await post('administrators/transfer-super', back, 'deputy')).code).toBe(200)
      await soon(async () => expect((await get('roles')).code).toBe(200))
      const supers = await site.withDatabase(({ db }) =>
        db.selectFrom('users').select('account').where('is_super', '=', 1).execute(),
      )
      expect(supers).toEqual([{ account: 'admin' }])
    })

    it('keeps groups with members, effective in the portal at once, and their administrators within them', async () => {
      const add = async (group: string) =>
        (await post('groups', { name: group, quotaBytes: 2 ** 30 })).data['group'] as unknown as { id: number }
      const [ours, other] = [await add('Ours'), await add('Other')]
      expect((await post('groups', { name: 'OURS' })).code).toBe(1060)
      expect((await post('groups', { name: 'x', spaceId: 9 })).code).toBe(6001)
      const mine = async () =>
        (await site.ask({ path: '/api/group/list?spaceId=1', token: token('member') })).data['groups'] as unknown
      expect(await mine()).toEqual([])
      const flags = { permission: PERMISSION.list | PERMISSION.download, isAdmin: true }
      expect((await post(`groups/${ours.id}/members`, { userIds: [id('member')], ...flags })).code).toBe(200)
      expect(await mine()).toMatchObject([{ groupName: 'Ours', userHomeSize: 2 ** 30 }])
      await soon(async () =>
        expect((await get('me', 'member')).data).toMatchObject({ standing: 'place', groupIds: [ours.id] }),
      )
      expect((await get('groups', 'member')).data).toMatchObject({
        ...{ total: 1, rows: [{ name: 'Ours', members: 1, administrators: [{ account: 'member' }] }] },
      })
      const invite = { accounts: ['outsider'], permission: PERMISSION.list }
      expect((await post(`groups/${ours.id}/members`, invite, 'member')).data['members']).toBe(1)
      expect(
        await post(`groups/${ours.id}/members`, { ...invite, permission: PERMISSION.delete }, 'member'),
      ).toMatchObject({
        ...{ code: 1008, data: { flags: PERMISSION.delete } },
      })
      for (const answer of [
        await get(`groups/${other.id}`, 'member'),
        await get(`groups/${other.id}/members`, 'member'),
        await post(`groups/${other.id}/members`, invite, 'member'),
        await post(`groups/${other.id}/members/remove`, { accounts: ['outsider'] }, 'member'),
      ]) {
        expect(answer.code).toBe(6040)
      }
      expect((await send('PATCH', `groups/${ours.id}`, { revision: 1, name: 'Mine' }, 'member')).code).toBe(1008)
      expect((await get(`groups/${ours.id}/members?text=out`)).data).toMatchObject({
        total: 1,
        rows: [{ isAdmin: false }],
      })
      expect((await send('PATCH', `groups/${ours.id}`, { revision: 1, name: 'Studio' })).data['group']).toMatchObject({
        name: 'Studio',
      })
      expect((await send('PATCH', `groups/${ours.id}`, { revision: 1, quotaBytes: 0 })).code).toBe(6060)
      const night = { days: [1], start: '20:00', end: '24:00', uploadMbps: 1, downloadMbps: 1 }
      const speed = { uploadMbps: 8, downloadMbps: 0, periods: [night] }
      const limited = await send('PATCH', `groups/${ours.id}`, { revision: 2, speed })
      expect(limited.data['group']).toMatchObject({ speed, name: 'Studio' })
      const twice = { ...speed, periods: [night, { ...night, days: [1, 2], start: '23:00' }] }
      expect(await send('PATCH', `groups/${ours.id}`, { revision: 3, speed: twice })).toMatchObject({
        ...{ code: 6195, data: { first: 1, second: 2 } },
      })
      const backwards = { ...speed, periods: [{ ...night, end: '08:00' }] }
      expect((await send('PATCH', `groups/${ours.id}`, { revision: 3, speed: backwards })).code).toBe(4030)
      expect((await post('groups', { name: 'Fast', speed: backwards })).code).toBe(4030)
      const weighed = await send('PATCH', `groups/${ours.id}`, { revision: 3, weight: 25 })
      expect(weighed.data['group']).toMatchObject({ weight: 25, speed, revision: 4 })
      expect(await send('PATCH', `groups/${ours.id}`, { revision: 4, weight: 101 })).toMatchObject({
        ...{ code: 400, data: { field: 'weight' } },
      })
      expect((await send('PATCH', `groups/${ours.id}`, { revision: 4, weight: 1 }, 'member')).code).toBe(1008)
      expect((await send('PATCH', `groups/${ours.id}`, { revision: 3, weight: 1 })).code).toBe(6060)
      expect((await get('groups')).data['rows']).toMatchObject([{ weight: null }, { weight: 25 }])
      const inherited = await send('PATCH', `groups/${ours.id}`, { revision: 4, weight: null })
      expect(inherited.data['group']).toMatchObject({ weight: null })
      expect((await post('groups', { name: 'Heavy', weight: 100 })).data['group']).toMatchObject({ weight: 100 })
      expect((await post('groups/remove', { groupId: ours.id })).code).toBe(1059)
      const all = { userIds: [id('member'), id('outsider')] }
      expect((await post(`groups/${ours.id}/members/remove`, all)).data['members']).toBe(2)
      expect(await mine()).toEqual([])
      expect((await post('groups/remove', { groupId: ours.id })).code).toBe(200)
    })

    it('keeps a tree of departments without loops, and empties what it removes', async () => {
      const add = async (department: string, parentId = 0) =>
        (await post('departments', { name: department, parentId })).data['department'] as unknown as { id: number }
      const top = await add('Company')
      const low = await add('Sales', top.id)
      expect((await post('departments', { name: 'SALES', parentId: top.id })).code).toBe(6031)
      expect((await post('departments', { name: 'a/b' })).code).toBe(6032)
      expect((await post('departments', { name: 'x', parentId: 99 })).code).toBe(6030)
      expect((await send('PATCH', `departments/${top.id}`, { revision: 1, parentId: low.id })).code).toBe(6034)
      expect((await send('PATCH', `departments/${top.id}`, { revision: 1, parentId: top.id })).code).toBe(6034)
      expect((await post('departments/remove', { departmentId: top.id })).code).toBe(6035)
      expect((await send('PATCH', `users/${id('member')}`, { revision: 1, departmentId: low.id })).code).toBe(200)
      expect((await get('departments')).data['departments']).toMatchObject([
        { name: 'Company', parentId: 0, users: 0 },
        { name: 'Sales', parentId: top.id, users: 1 },
      ])
      expect((await get(`users?departmentId=${low.id}`)).data).toMatchObject({
        rows: [{ department: { name: 'Sales' } }],
      })
      expect((await post('departments/remove', { departmentId: low.id })).data['users']).toBe(1)
      expect((await get(`users/${id('member')}`)).data['user']).toMatchObject({ department: null })
    })

    it('keeps spaces with members, each administered within itself, and shows storages without a secret', async () => {
      const spaceId = Number((await post('spaces', { name: 'Laboratory' })).data['spaceId'])
      expect((await post('spaces', { name: 'LABORATORY' })).code).toBe(6002)
      const members = { accounts: ['member'], isAdmin: true }
      expect((await post(`spaces/${spaceId}/members`, members)).data['members']).toBe(1)
      await soon(async () => expect((await get('me', 'member')).data).toMatchObject({ spaceIds: [spaceId] }))
      expect((await get('spaces', 'member')).data['spaces']).toMatchObject([
        { name: 'Laboratory', members: 1, administrators: [{ account: 'member' }] },
      ])
      expect((await get('spaces/1/members', 'member')).code).toBe(6001)
      expect((await post('spaces/1/members', members, 'member')).code).toBe(6001)
      expect((await post('spaces', { name: 'Mine' }, 'member')).code).toBe(1008)
      expect((await send('PATCH', `spaces/${spaceId}`, { revision: 1, weight: 100 }, 'member')).code).toBe(1008)
      expect((await get('spaces', 'member')).data['spaces']).toMatchObject([{ weight: null, revision: 1 }])
      const heavy = (await post('groups', { name: 'Heavier', weight: 100 })).data['group'] as unknown as { id: number }
      // Nor does a role that only looks at them.
      for (const path of [`users/${id('member')}`, `groups/${heavy.id}`, `spaces/${spaceId}`])
        expect((await send('PATCH', path, { revision: 1, weight: 1 }, 'auditor')).code, path).toBe(1008)
      expect((await post(`spaces/${spaceId}/members`, { accounts: ['outsider'] }, 'member')).data['members']).toBe(1)
      expect((await get(`spaces/${spaceId}/members?text=out`)).data).toMatchObject({
        total: 1,
        rows: [{ isAdmin: false }],
      })
      const left = { accounts: ['outsider', 'member'] }
      expect((await post(`spaces/${spaceId}/members/remove`, left)).data['members']).toBe(2)
      const storages = (await get('storages')).data['storages'] as unknown as readonly object[]
      expect(storages[0]).toMatchObject({ name: 'Local', kind: 'local', defaultOf: [1], error: '' })
    })

    it('signs others out from afar, but nobody an administrator above', async () => {
      const { rows } = adminSessionRoutes.list.reply.parse((await get('sessions?size=50')).data)
      const own = rows.find(({ current }) => current)
      expect(own).toMatchObject({ account: 'admin' })
      const theirs = rows.filter(({ account }) => account === 'outsider').map((row) => row.id)
      expect((await post('sessions/end', { sessionIds: theirs })).data['ended']).toBe(1)
      expect((await site.ask({ path: '/api/user/info', token: token('outsider') })).code).toBe(1009)
      expect((await post('sessions/end', { sessionIds: theirs })).code).toBe(5449)
    })

    it('shows what was done, within the scope of the role, sealed row by row', async () => {
      const log = async (query: string, who: Account | 'admin' = 'admin') =>
        adminLogRoutes.operations.reply.parse((await get(`log/operations?size=50&${query}`, who)).data)
      const all = await log('')
      expect(all.rows.map(({ seq }) => seq)).toEqual(all.rows.map((_row, at) => all.total - at))
      expect((await log('operation=administrator.transfer-super&result=ok')).rows).toMatchObject([
        { actor: 'deputy', target: 'admin', before: { super: 'deputy' }, after: { super: 'admin' } },
        { actor: 'admin', target: 'deputy' },
      ])
      expect((await log('operation=administrator.transfer-super&result=failed')).rows).toMatchObject([
        { result: 'OLD_PASSWORD_WRONG' },
      ])
      expect((await log('text=studio')).total + (await log('targetKind=department')).total).toBeGreaterThan(3)
      expect((await log('', 'auditor')).total).toBe(0)
      expect((await log(`actorId=${rowsId('admin')}`, 'auditor')).total).toBe(0)
      const signIns = adminLogRoutes.signIns.reply.parse((await get('log/sign-ins?size=50')).data)
      expect(signIns.rows.map(({ account }) => account)).toEqual(expect.arrayContaining([...ACCOUNTS]))
      expect((await get('log/sign-ins', 'auditor')).data).toMatchObject({ total: 1, rows: [{ account: 'auditor' }] })
      const csv = await get('log/operations/export?format=csv')
      expect(csv.headers['content-type']).toContain('text/csv')
      // The row of an export is in its file.
      expect(csv.text.split('\r\n')).toHaveLength(all.total + 3)
      const lines = (await get('log/operations/export?format=jsonl&result=ok')).text.trim().split('\n')
      expect(lines).toHaveLength((await log('result=ok')).total)
      expect((await get('log/operations/export', 'member')).code).toBe(1008)
      expect((await log('operation=log.export')).rows).toMatchObject([
        { actor: 'admin', result: 'ok', after: { format: 'jsonl', result: 'ok' } },
        { actor: 'admin', result: 'ok', after: { format: 'csv' } },
      ])
      expect(await site.cli('verify --log')).toBe(0)
    })

    function rowsId(account: string): string {
      if (account !== 'admin') return ids.get(account) ?? ''
      return adminId
    }
    let adminId = ''
    beforeAll(async () => {
      adminId = String((await get('me')).data['id'])
    })

    it('keeps saved views of a list for the person alone, one of each name and no more than fit', async () => {
      const list = 'users'
      const namesOf = async (who: Account | 'admin') => {
        const { views } = adminViewRoutes.list.reply.parse((await get(`views?list=${list}`, who)).data)
        return views.map(({ name: each, search }) => [each, search])
      }
      const search = { state: 'locked', sort: 'created', order: 'desc', columns: 'account.name' }
      const saves = await Promise.all([0, 1, 2].map(() => post('views', { list, name: ' Locked ', search })))
      expect(saves.map(({ code }) => code)).toEqual([200, 200, 200])
      expect(await namesOf('admin')).toEqual([['Locked', search]])
      await post('views', { list, name: 'LOCKED', search: { state: 'active' } })
      expect(await namesOf('admin')).toEqual([['LOCKED', { state: 'active' }]])
      await post('views', { list: 'groups', name: 'Locked', search })
      expect(await namesOf('auditor')).toEqual([])
      expect((await get(`views?list=${list}`, 'member')).code).toBe(1008)
      const [view] = adminViewRoutes.list.reply.parse((await get(`views?list=${list}`)).data).views
      expect((await post('views/remove', { viewId: view?.id }, 'auditor')).code).toBe(ERRORS.VIEW_NOT_FOUND.wire)
      for (const wrong of [{ name: ' ' }, { list: '../x' }, { search: { a: 'x'.repeat(513) } }])
        expect((await post('views', { list, name: 'Wrong', search, ...wrong })).code).toBe(400)
      const long = await post('views', { list, name: 'x'.repeat(65), search })
      expect(long.code).toBe(ERRORS.NAME_TOO_LONG.wire)
      for (let at = 1; at < VIEWS_MAX; at++) await post('views', { list, name: `View ${at}`, search })
      expect((await post('views', { list, name: 'One more', search })).code).toBe(ERRORS.VIEWS_TOO_MANY.wire)
      expect((await post('views', { list, name: 'View 1', search })).code).toBe(200)
      expect((await post('views/remove', { viewId: view?.id })).code).toBe(200)
      expect((await post('views/remove', { viewId: view?.id })).code).toBe(ERRORS.VIEW_NOT_FOUND.wire)
      expect(await namesOf('admin')).toHaveLength(VIEWS_MAX - 1)
    })

    it('says what members of a group send and keep in sync, in place of what each of them has', async () => {
      const { id: groupId } = (await post('groups', { name: `Filtered ${name}` })).data['group'] as unknown as {
        id: number
      }
      await site.addUser('synced')
      const { token: session, userId } = await site.signIn('synced')
      await post(`groups/${groupId}/members`, { userIds: [userId] })
      const rules = async () => {
        const { data } = await site.ask({ path: '/api/group/list?spaceId=1', token: session })
        return (data['groups'] as unknown as ReadonlyArray<{ readonly groupId: number }>).find(
          (group) => group.groupId === groupId,
        )
      }
      expect(await rules()).toMatchObject({ transSyncSwitch: 0, transIgnoreRegSwitch: 0 })
      const own = { ignorePatterns: '*.tmp', ignoreAboveMb: 5, skipSameName: true, lockFilters: true, sync: 'rest' }
      const edit = (revision: number, transfer: object) => send('PATCH', `groups/${groupId}`, { revision, transfer })
      expect((await edit(1, own)).data['group']).toMatchObject({ transfer: own, revision: 2 })
      const held = { transSyncSwitch: 1, transSyncTriggeringCondition: 1, transIgnoreReg: '*.tmp', transIgnoreSize: 5 }
      await soon(async () => expect(await rules()).toMatchObject({ ...held, forbidClientFilterSwitch: 1 }))
      expect(await edit(2, { ignorePatterns: '[z-a]' })).toMatchObject({
        ...{ code: 400, data: { field: 'transfer.ignorePatterns' } },
      })
      const { data: log } = await get('log/operations?size=50')
      // The newest one is the refusal.
      const [, entry] = adminLogRoutes.operations.reply.parse(log).rows
      expect(entry).toMatchObject({ before: { transfer: { sync: null } }, after: { transfer: own } })
      expect((await edit(2, { sync: 'off' })).data['group']).toMatchObject({
        transfer: { ignorePatterns: null, sync: 'off' },
      })
      await soon(async () => expect(await rules()).toMatchObject({ transSyncSwitch: 0, transIgnoreRegSwitch: 0 }))
    })
  })
}
