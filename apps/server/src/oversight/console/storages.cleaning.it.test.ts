import fs from 'node:fs'
import path from 'node:path'
import type { AdminCleaningPreview, AdminStorageDetail } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'

const DAY_S = 24 * 3600

for (const [dialect, databaseUrl] of [
  ['sqlite', () => Promise.resolve(undefined)],
  ['mysql', mariadbUrl],
] as const) {
  describe(`auto-clean in the console on ${dialect}`, () => {
    let site: Site
    let admin = ''
    let deputy = ''
    let mei = ''
    const files = (): string => path.join(`${site.data}-storages`, 'files')
    beforeAll(async () => {
      const url = await databaseUrl()
      site = await openSite(url === undefined ? {} : { databaseUrl: url })
      admin = (await site.signIn('admin')).token
      await site.addUser('deputy')
      await administer(site, 'deputy', ['storages.view', 'storages.edit'])
      deputy = (await site.signIn('deputy')).token
      fs.mkdirSync(path.dirname(files()))
      await site.cli(`storage add --name Archive --kind local --folder ${files()}`)
      for (const account of ['mei', 'tom']) {
        await site.addUser(account)
        await site.cli(`mount add Archive --account ${account} --storage 2 --folder ${account}`)
        for (const [name, days] of [
          ['old.txt', 100],
          ['older.txt', 400],
          ['young.txt', 10],
        ] as const) {
          const file = path.join(files(), account, name)
          fs.writeFileSync(file, `${account} ${name}`)
          const time = Date.now() / 1000 - days * DAY_S
          fs.utimesSync(file, time, time)
        }
      }
      mei = (await site.signIn('mei')).token
    })
    afterAll(async () => {
      fs.rmSync(path.dirname(files()), { recursive: true, force: true })
      await site[Symbol.asyncDispose]()
    })

    const send = async (method: string, below: string, json?: object, token = admin) => {
      const given = json === undefined ? {} : { json }
      return site.ask({ method, path: `/api/admin/storages/${below}`, token, ...given })
    }
    const state = async () => {
      const { data } = await send('GET', '2')
      return (data as unknown as { readonly storage: AdminStorageDetail }).storage.cleaning
    }
    const preview = async (json: object, token = admin) => {
      const { data } = await send('POST', '2/cleaning/preview', json, token)
      return data as unknown as AdminCleaningPreview
    }
    const noticesOf = async (token: string) => {
      const { data } = await site.ask({ path: '/api/notice/list?pageNum=1&pageSize=50', token })
      const list = data['notic_list'] as unknown as ReadonlyArray<{ title: string; content: string; page: string }>
      return list.filter(({ page }) => page === '/recycle')
    }

    it('shows what a rule would move, and its names to those alone who may see them', async () => {
      expect(await state()).toBeNull()
      const shown = await preview({ basis: 'modified', days: 90 })
      expect(shown).toMatchObject({ files: 4, bytes: 48, isComplete: true, from: 0 })
      expect(shown.first.map(({ keeper, path: at }) => `${keeper}:${at}`).toSorted()).toEqual([
        'mei:/Archive/old.txt',
        'mei:/Archive/older.txt',
        'tom:/Archive/old.txt',
        'tom:/Archive/older.txt',
      ])
      expect(await preview({ basis: 'modified', days: 90 }, deputy)).toMatchObject({ files: 4, first: [] })
      const byAccess = await preview({ basis: 'access', days: 365 })
      expect(byAccess.files).toBe(2)
      expect(byAccess.from).toBeGreaterThan(Date.now() + 364 * DAY_S * 1000)
      expect((await send('POST', '2/cleaning/preview', { basis: 'modified', days: 8 })).code).not.toBe(200)
      expect((await send('POST', '99/cleaning/preview', { basis: 'modified', days: 7 })).code).toBe(4007)
      expect(fs.readdirSync(path.join(files(), 'mei'))).toContain('older.txt')
    })

    it('moves by its rule, says how the run ended, and notifies each owner once', async () => {
      expect((await send('POST', '2/cleaning/run', {})).code).toBe(5321)
      await send('PUT', '2/cleaning', { rule: { basis: 'modified', days: 365 } }, deputy)
      await expect.poll(state, { timeout: BUSY_MS }).toMatchObject({ isBusy: false, last: { files: 2, skipped: 0 } })
      expect(await state()).toMatchObject({ basis: 'modified', days: 365, last: { bytes: 26 } })
      await expect.poll(async () => (await noticesOf(mei)).length, { timeout: BUSY_MS }).toBe(1)
      expect((await noticesOf(mei))[0]).toMatchObject({
        title: 'Old files were moved to your recycle bin',
        content: expect.stringContaining('Files moved: 1 (13 B)') as string,
      })
      // An edit keeps what is known of the last run until the next one ends.
      await send('PUT', '2/cleaning', { rule: { basis: 'modified', days: 90 } })
      await expect
        .poll(state, { timeout: BUSY_MS })
        .toMatchObject({ days: 90, isBusy: false, last: { files: 2, bytes: 22 } })
      await expect.poll(async () => (await noticesOf(mei)).length, { timeout: BUSY_MS }).toBe(2)
      expect(fs.readdirSync(path.join(files(), 'mei'))).toContain('young.txt')
    })

    it('cleans at once when it is asked to, goes on after a crash, and stops with its rule', async () => {
      const past = Date.now() / 1000 - 500 * DAY_S
      fs.writeFileSync(path.join(files(), 'mei', 'late.txt'), 'late')
      fs.utimesSync(path.join(files(), 'mei', 'late.txt'), past, past)
      // As a server leaves it that was killed after it moved three files.
      await site.withDatabase(async ({ db }) => {
        const user = await db.selectFrom('users').select('id').where('account', '=', 'mei').executeTakeFirstOrThrow()
        await db.insertInto('cleaning_moved').values({ storage_id: 2, user_id: user.id, files: 3, bytes: 30 }).execute()
      })
      expect((await send('POST', '2/cleaning/run', {})).code).toBe(200)
      await expect
        .poll(state, { timeout: BUSY_MS })
        .toMatchObject({ isBusy: false, last: { files: 4, bytes: 34, skipped: 0 } })
      await expect
        .poll(async () => (await noticesOf(mei))[0]?.content, { timeout: BUSY_MS })
        .toContain('moved: 4 (34 B)')
      await send('PUT', '2/cleaning', { rule: null })
      expect(await state()).toBeNull()
      const { data } = await site.ask({ path: '/api/admin/log/operations?page=1&pageSize=50', token: admin })
      const rows = data['rows'] as unknown as ReadonlyArray<{ operation: string }>
      const names = rows.map(({ operation }) => operation)
      for (const operation of ['storage.clean', 'storage.clean-now', 'storage.clean-preview'])
        expect(names).toContain(operation)
    })
  })
}
