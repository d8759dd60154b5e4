import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from './testing/administrators.ts'
import { openSite, type Site } from './testing/sites.ts'

interface Row {
  readonly recycleId: string
  readonly name: string
  readonly account: string
}

describe('the recycle bin of everybody', () => {
  let site: Site
  let admin = ''
  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'tom', 'deputy']) await site.addUser(account)
    await administer(site, 'deputy', ['recycle.view', 'recycle.restore', 'recycle.clear'])
    admin = (await site.signIn('admin')).token
  })
  afterAll(() => site[Symbol.asyncDispose]())

  /** Makes a file in the account's own files and deletes it. */
  const recycled = async (account: string, name: string): Promise<void> => {
    const { token } = await site.signIn(account)
    await site.upload(token, name, Buffer.from('content'))
    expect((await site.call(token, 'remove', { paths: [`/${name}`] })).code).toBe(200)
  }
  const rows = async (token = admin, query = ''): Promise<readonly Row[]> => {
    const { data } = await site.ask({ path: `/api/admin/recycle?size=50${query}`, token })
    return data['rows'] as unknown as readonly Row[]
  }
  const act = (work: 'restore' | 'clear', recycleIds: readonly string[], token = admin) =>
    site.ask({ method: 'POST', path: `/api/admin/recycle/${work}`, token, json: { recycleIds } })
  const idOf = async (name: string): Promise<string> =>
    (await rows()).find((row) => row.name === name)?.recycleId ?? 'none'

  it('is restored and emptied by an administrator; files of a locked account stay, and say why', async () => {
    await recycled('mei', 'plan')
    await recycled('tom', 'draft')
    await recycled('tom', 'waste')
    expect((await rows()).map(({ name, account }) => `${account} ${name}`)).toEqual([
      'tom waste',
      'tom draft',
      'mei plan',
    ])
    expect((await rows(admin, '&text=MEI')).map(({ name }) => name)).toEqual(['plan'])
    const plan = await idOf('plan')
    // Without the right to upload one's own restore is refused; the administrator's is not.
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ permission: 2 }).where('account', '=', 'mei').execute(),
    )
    await site.cli('user lock --account tom')
    const restored = await act('restore', [plan, await idOf('draft')])
    expect(restored.data).toMatchObject({ changed: 1, failed: [{ name: 'draft', code: 1050 }] })
    const cleared = await act('clear', [await idOf('waste')])
    expect(cleared.data).toMatchObject({ changed: 1, failed: [] })
    await expect.poll(async () => (await rows()).map(({ name }) => name)).toEqual(['draft'])
    const { token } = await site.signIn('mei')
    const { data } = await site.call(token, 'list', { folder: '/' })
    expect(JSON.stringify(data)).toContain('plan')
    const log = await site.ask({ path: '/api/admin/log/operations?text=plan', token: admin })
    expect(log.text).toContain('recycle.restore')
  })

  it('is, with the folder scope of one’s own, one’s own bin', async () => {
    await recycled('deputy', 'mine')
    const { token } = await site.signIn('deputy')
    expect((await rows(token)).map(({ name }) => name)).toEqual(['mine'])
    expect((await act('clear', [await idOf('draft')], token)).code).toBe(5117)
    expect((await act('restore', ['f'.repeat(32)], token)).code).toBe(5117)
  })
})
