import { adminLinkRoutes, type AdminLinkDetail } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, visit, type Sharing } from './testing/guests.ts'

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`the registers of links on ${name}`, () => {
    let site: Site
    let admin = ''
    let ana: Sharing
    let ben: Sharing
    const ids = new Map<string, string>()

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      admin = (await site.signIn('admin')).token
      ana = await openSharing(site, 'ana')
      ben = await openSharing(site, 'ben')
      ana.put('plan.pdf', 'plan')
      ben.put('plan b.pdf', 'plan')
      ids.set('ana', await ana.link({ shareFiles: ['plan.pdf'], needPassword: true, shareUrlPasswd: 'rose' }))
      ids.set('ben', await ben.link({ shareFiles: ['plan b.pdf'] }))
      ids.set('drop', await ben.link({ shareUrlType: 0 }))
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const id = (of: string): string => ids.get(of) ?? ''
    const get = (path: string, token = admin) => site.ask({ path: `/api/admin/links${path}`, token })
    const post = (path: string, json: object, token = admin) =>
      site.ask({ method: 'POST', path: `/api/admin/links/${path}`, token, json })
    const list = async (query = '', token = admin) =>
      adminLinkRoutes.list.reply.parse((await get(`?kind=share${query}`, token)).data)
    const owners = async (query = '', token = admin) =>
      (await list(query, token)).rows.map(({ owner }) => owner.account).toSorted()
    const detail = async (of: string) =>
      ((await get(`/${id(of)}`)).data as unknown as { readonly link: AdminLinkDetail }).link
    /** An administrator with these rights over folders of their own, or of everybody. */
    const addAdministrator = async (account: string, rights: readonly string[], folderScope: 'own' | 'all') => {
      const sharing = await openSharing(site, account)
      const role = { name: account, rights, auditScope: 'own', folderScope }
      const made = await site.ask({ method: 'POST', path: '/api/admin/roles', token: admin, json: role })
      const roleId = (made.data['role'] as unknown as { readonly id: number }).id
      const { userId } = await site.signIn(account)
      const json = { userId, roleId }
      expect((await site.ask({ method: 'POST', path: '/api/admin/administrators', token: admin, json })).code).toBe(200)
      await expect.poll(async () => (await get('?kind=share', sharing.token)).code).toBe(200)
      return sharing
    }

    it('lists everybody’s links of one kind, without password and device', async () => {
      const { rows, total } = await list('&sort=name')
      expect(total).toBe(2)
      expect(rows[0]).toMatchObject({
        ...{ id: id('ben'), kind: 'share', owner: { account: 'ben' }, state: 'normal', blockedBy: null },
        ...{ folder: '/', names: ['plan b.pdf'], count: 1, missing: 0, hasPassword: false, downloads: 0 },
      })
      expect(rows[1]).toMatchObject({ hasPassword: true })
      expect(JSON.stringify(rows)).not.toContain('rose')
      expect((await get('?kind=invite')).data).toMatchObject({ total: 1, rows: [{ id: id('drop'), kind: 'invite' }] })
      expect((await get('')).code).toBe(400)
    })

    it('sorts, and filters by owner, state, department and part of a name', async () => {
      const named = async (query: string) => (await list(query)).rows.map(({ owner }) => owner.account)
      expect(await named('&sort=name&order=asc')).toEqual(['ben', 'ana'])
      expect(await named('&sort=name&order=desc')).toEqual(['ana', 'ben'])
      for (const sort of ['created', 'expires', 'status', 'uses']) expect(await named(`&sort=${sort}`)).toHaveLength(2)
      expect(await owners('&owner=AN')).toEqual(['ana'])
      expect(await owners('&text=plan')).toEqual(['ana', 'ben'])
      expect(await owners('&text=%25')).toEqual([])
      expect(await owners('&state=canceled')).toEqual([])
      const addDepartment = async (department: object) => {
        const json = { parentId: 0, ...department }
        const { data } = await site.ask({ method: 'POST', path: '/api/admin/departments', token: admin, json })
        return (data['department'] as unknown as { readonly id: number }).id
      }
      const works = await addDepartment({ name: 'Works' })
      const hall = await addDepartment({ name: 'Hall 4', parentId: works })
      const { userId } = await site.signIn('ana')
      const json = { revision: 1, departmentId: hall }
      expect((await site.ask({ method: 'PATCH', path: `/api/admin/users/${userId}`, token: admin, json })).code).toBe(
        200,
      )
      expect(await owners(`&departmentId=${works}`)).toEqual(['ana'])
      expect(await owners(`&departmentId=${hall}`)).toEqual(['ana'])
      expect(await owners('&departmentId=4711')).toEqual([])
      expect((await detail('ana')).department).toBe('Hall 4')
    })

    it('says why nobody gets in: the owner lost the right', async () => {
      const { userId } = await site.signIn('ben')
      const edit = async (permission: number) => {
        const user = await site.ask({ path: `/api/admin/users/${userId}`, token: admin })
        const { revision } = user.data['user'] as unknown as { readonly revision: number }
        const path = `/api/admin/users/${userId}`
        expect((await site.ask({ method: 'PATCH', path, token: admin, json: { revision, permission } })).code).toBe(200)
      }
      await edit(2)
      expect((await detail('ben')).blockedBy).toBe('owner')
      await edit(8191)
      expect((await detail('ben')).blockedBy).toBeNull()
    })

    it('shows who used a link, and what became of it', async () => {
      const guest = await visit(site, id('ana'), 'rose')
      const address = await guest.ticket(['/plan.pdf'])
      expect((await site.ask({ path: address })).text).toBe('plan')
      await expect
        .poll(async () => (await get(`/${id('ana')}/uses`)).data)
        .toMatchObject({ total: 1, rows: [{ kind: 'download', files: ['/plan.pdf'], bytes: 4, whole: true }] })
      expect(await detail('ana')).toMatchObject({
        ...{ visits: 1, recipients: [], notify: false, downloads: 1 },
        history: [{ change: 'created', account: 'ana' }],
      })
      expect((await get(`/${'0'.repeat(32)}`)).code).toBe(4025)
      expect((await get(`/${'0'.repeat(32)}/uses`)).code).toBe(4025)
    })

    it('says what a change would do, and then does it to all that a filter fits', async () => {
      const chosen = { filter: { kind: 'share', text: 'plan' } }
      const would = await post('try', { chosen, change: 'disable' })
      expect(would.data).toEqual({ changed: 2, unchanged: 0, owners: 2, visits: 1, failed: [] })
      expect((await detail('ana')).state).toBe('normal')
      expect((await post('disable', { chosen })).data).toMatchObject({ changed: 2, visits: 1 })
      expect(await owners('&state=canceled')).toEqual(['ana', 'ben'])
      expect(await detail('ana')).toMatchObject({ state: 'canceled', visits: 0 })
      const stranger = '0'.repeat(32)
      const again = await post('disable', { chosen: { ids: [id('ana'), id('ana'), stranger] } })
      expect(again.data).toMatchObject({ changed: 0, unchanged: 1, failed: [{ id: stranger, code: 4025 }] })
      expect((await post('enable', { chosen: { ids: [id('ana'), id('ben')] } })).data).toMatchObject({ changed: 2 })
      expect((await post('unbind', { chosen })).data).toMatchObject({ changed: 0, unchanged: 2 })
      expect((await detail('ana')).history.map(({ change, account }) => `${change} ${account}`)).toEqual([
        'enabled admin',
        'canceled admin',
        'created ana',
      ])
      const log = await site.ask({ path: '/api/admin/log/operations?targetKind=link', token: admin })
      const rows = log.data['rows'] as unknown as ReadonlyArray<Readonly<Record<string, unknown>>>
      expect(rows.filter(({ operation }) => operation === 'link.disable')).toHaveLength(3)
      expect(rows).toContainEqual(
        expect.objectContaining({
          ...{ operation: 'link.disable', targetId: id('ana'), target: 'plan.pdf', result: 'ok', actor: 'admin' },
          ...{ before: { state: 'normal' }, after: { state: 'canceled' } },
        }),
      )
    })

    it('shows an administrator with folders of their own nothing else, and changes nothing else for them', async () => {
      const cleo = await addAdministrator('cleo', ['links.view', 'links.disable', 'links.delete'], 'own')
      cleo.put('own.pdf', 'x')
      const own = await cleo.link({ shareFiles: ['own.pdf'] })
      expect(await owners('', cleo.token)).toEqual(['cleo'])
      expect((await get(`/${id('ana')}`, cleo.token)).code).toBe(4025)
      expect((await get(`/${id('ana')}/uses`, cleo.token)).code).toBe(4025)
      const chosen = { ids: [id('ana'), own] }
      expect((await post('remove', { chosen }, cleo.token)).data).toMatchObject({
        ...{ changed: 1, failed: [{ id: id('ana') }] },
      })
      const everything = { chosen: { filter: { kind: 'share' } } }
      expect((await post('remove', everything, cleo.token)).data).toMatchObject({ changed: 0, failed: [] })
      expect(await owners()).toEqual(['ana', 'ben'])
    })

    it('asks for the right of each change', async () => {
      const dora = await addAdministrator('dora', ['links.view'], 'all')
      expect(await owners('', dora.token)).toEqual(['ana', 'ben'])
      expect((await post('try', { chosen: { ids: [id('ana')] }, change: 'remove' }, dora.token)).data).toMatchObject({
        changed: 1,
      })
      for (const change of ['disable', 'enable', 'unbind', 'remove'])
        expect((await post(change, { chosen: { ids: [id('ana')] } }, dora.token)).code).toBe(1008)
      const strange = await post('try', { chosen: { ids: [id('ana')] }, change: 'remove' }, ana.token)
      expect([(await get('?kind=share', ana.token)).code, strange.code]).toEqual([1008, 1008])
    })

    it('deletes a link with its records', async () => {
      expect((await post('remove', { chosen: { ids: [id('ana')] } })).data).toMatchObject({ changed: 1 })
      expect((await get(`/${id('ana')}`)).code).toBe(4025)
      expect(await owners()).toEqual(['ben'])
    })
  })
}
