import { ERRORS } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharing, visit, type Sharing } from '../../exchange/links/testing/guests.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`the preview log on ${engine}`, () => {
    let site: Site
    let mei: Sharing
    let admin: Login
    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      await site.addUser('tom')
      mei.put('plan.txt', 'the plan')
      mei.put('box/100%.txt', 'all of it')
      admin = await site.signIn('admin')
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const look = async (path: string, token = mei.token) =>
      String((await site.call(token, 'preview', { path })).data['viewId'])
    const log = async (query = '', token = admin.token) => {
      const { code, data } = await site.ask({ path: `/api/admin/log/previews?${query}`, token })
      return code === 200 ? (data['rows'] as unknown as ReadonlyArray<Readonly<Record<string, unknown>>>) : [{ code }]
    }
    const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

    it('holds who looked at what, from when on and for how long', async () => {
      const before = Date.now()
      const viewId = await look('/plan.txt')
      expect(await log()).toMatchObject([{ path: '/plan.txt', viewer: 'mei', link: '', isOpen: true, durationMs: 0 }])
      await after(40)
      await site.call(mei.token, 'viewed', { viewId, isOver: false })
      const [seen] = await log()
      expect(Number(seen?.['durationMs'])).toBeGreaterThanOrEqual(20)
      await site.call(mei.token, 'viewed', { viewId, isOver: true })
      const [over] = await log()
      expect(over).toMatchObject({ isOpen: false })
      expect(Number(over?.['at'])).toBeGreaterThanOrEqual(before)
      await after(40)
      // Over is over, whoever says otherwise.
      await site.call(mei.token, 'viewed', { viewId, isOver: false })
      expect(await log()).toEqual([over])
    })

    it('is changed by nobody but the viewer, and holds nothing of what was not shown', async () => {
      const viewId = await look('/box/100%.txt')
      const tom = await site.signIn('tom')
      expect((await site.call(tom.token, 'viewed', { viewId, isOver: true })).code).toBe(200)
      expect((await log())[0]).toMatchObject({ isOpen: true })
      const count = (await log()).length
      expect((await site.call(tom.token, 'preview', { path: '/plan.txt' })).code).toBe(5100)
      mei.put('thing.bin', Buffer.from([0, 1, 2, 3, 255]))
      expect(await look('/thing.bin')).toBe('')
      expect(await log()).toHaveLength(count)
    })

    it('names guests by their link, and is found by file, viewer and link', async () => {
      const linkId = await mei.link({ shareFiles: ['plan.txt'], shareAllowDownload: 0 })
      const guest = await visit(site, linkId)
      const shown = await guest.ask('preview', { path: '/plan.txt' })
      expect((await log())[0]).toMatchObject({ path: '/plan.txt', userId: '', link: 'plan.txt', isOpen: true })
      const stranger = await visit(site, linkId)
      const report = { viewId: shown.data['viewId'], isOver: true }
      await stranger.ask('viewed', report)
      await site.call(mei.token, 'viewed', report)
      expect((await log())[0]).toMatchObject({ isOpen: true })
      expect((await guest.ask('viewed', report)).code).toBe(200)
      expect((await log())[0]).toMatchObject({ isOpen: false })
      expect(await log('text=PLAN')).toHaveLength(2)
      expect(await log('text=100%25')).toMatchObject([{ path: '/box/100%.txt' }])
      expect(await log('text=tom')).toEqual([])
      expect(await log('from=99999999999999')).toEqual([])
    })

    it('is for administrators with the right', async () => {
      expect(await log('', mei.token)).toEqual([{ code: ERRORS.PERMISSION_DENIED.wire }])
    })
  })
}
