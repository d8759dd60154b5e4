import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'

const DAY_S = 24 * 3600

for (const [dialect, databaseUrl] of [
  ['sqlite', () => Promise.resolve(undefined)],
  ['mysql', mariadbUrl],
] as const) {
  describe(`cleaning a storage on ${dialect}`, { timeout: 150_000 }, () => {
    let site: Site
    let mei: Login
    let folder = ''
    beforeAll(async () => {
      const url = await databaseUrl()
      site = await openSite(url === undefined ? {} : { databaseUrl: url })
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-cleaning-'))
      await site.addUser('mei')
      mei = await site.signIn('mei')
      await site.call(mei.token, 'list', { folder: '/' })
      await run(`storage add --name Archive --kind local --folder ${folder}/files`)
      await run('mount add Archive --account mei --storage 2 --folder old')
      for (const [name, days] of [
        ['deep/ancient.txt', 400],
        ['deep/opened.txt', 400],
        ['young.txt', 10],
      ] as const) {
        const file = path.join(folder, 'files/old', name)
        fs.mkdirSync(path.dirname(file), { recursive: true })
        fs.writeFileSync(file, name)
        const time = Date.now() / 1000 - days * DAY_S
        fs.utimesSync(file, time, time)
      }
      await site.upload(mei.token, 'home.txt', Buffer.from('on another storage'))
    }, 120_000)
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      fs.rmSync(folder, { recursive: true, force: true })
    })

    async function run(words: string): Promise<string> {
      const before = site.printed().length
      if ((await site.cli(words)) !== 0) throw new Error(site.printed())
      return site.printed().slice(before)
    }
    const names = async (at: string) =>
      (await site.call(mei.token, 'columns', { folder: at })).data['names'] as unknown as string[]

    it('is tried without touching anything', async () => {
      expect(await run('storage clean 2 --after 90 --dry-run')).toContain('2 files with 31 bytes')
      expect(await run('storage clean 2 --after 365 --by access --dry-run')).toContain('2 files')
      expect(await run('storage clean 1 --after 7 --dry-run')).toContain('0 files')
      const query = new URLSearchParams({ path: '/Archive/deep/opened.txt', spaceId: '1', groupId: '0' })
      expect((await site.ask({ path: `/api/files/content?${query.toString()}`, token: mei.token })).status).toBe(200)
      await expect
        .poll(() => run('storage clean 2 --after 90 --by access --dry-run'), { timeout: 20_000 })
        .toContain('1 files with 16 bytes')
      expect(await names('/Archive/deep')).toEqual(['ancient.txt', 'opened.txt'])
    })

    it('moves what nobody changed or opened into the bin, from where it comes back', async () => {
      await run('storage clean 2 --by access --after 90')
      // The rule is as old as its age from now on. A round may have begun by the rule of before, so another one is asked for.
      const older = { since: 0, asked_at: Date.now() }
      await site.withDatabase(({ db }) => db.updateTable('storage_cleaning').set(older).execute())
      await expect.poll(() => names('/Archive/deep'), { timeout: 100_000, interval: 500 }).toEqual(['opened.txt'])
      expect(await names('/Archive')).toEqual(['deep', 'young.txt'])
      const { data } = await site.call(mei.token, 'recycled', { limit: 10 })
      const items = data['items'] as unknown as ReadonlyArray<{ readonly recycleId: string; readonly path: string }>
      expect(items.map((item) => item.path)).toEqual(['/Archive/deep/ancient.txt'])
      const row = () =>
        site.withDatabase(({ db }) =>
          db
            .selectFrom('operation_log')
            .selectAll()
            .where('operation', '=', 'storage.clean')
            .where('door', '=', 'schedule')
            .executeTakeFirst(),
        )
      await expect
        .poll(async () => JSON.parse((await row())?.state_after ?? '{}') as object, { timeout: 20_000 })
        .toEqual({
          ...{ files: 1, bytes: 16, basis: 'access', days: 90 },
        })
      await site.call(mei.token, 'restore', { recycleIds: items.map(({ recycleId }) => recycleId), conflict: 'fail' })
      await expect.poll(() => names('/Archive/deep')).toEqual(['ancient.txt', 'opened.txt'])
      // What was put back counts as opened.
      await expect
        .poll(() => run('storage clean 2 --after 90 --by access --dry-run'), { timeout: 20_000 })
        .toContain('0 files')
      await run('storage clean 2 --off')
    })

    it('by access lets a file stay that came a moment ago, whatever time it brought along', async () => {
      const content = Buffer.from('a picture of long ago')
      const file = { folder: '/Archive', filename: 'picture.txt', size: content.length }
      const json = { ...file, lastModified: Date.now() - 400 * DAY_S * 1000 }
      const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token: mei.token, json })
      const at = `/api/uploads/${String(data['uploadId'])}`
      await site.ask({ method: 'PUT', path: `${at}/parts/0`, token: mei.token, body: content })
      expect((await site.ask({ method: 'POST', path: `${at}/complete`, token: mei.token, json: {} })).code).toBe(200)
      const stored = path.join(folder, 'files/old/picture.txt')
      expect(fs.statSync(stored).mtimeMs).toBe(json.lastModified)
      const due = () => run('storage clean 2 --after 90 --by access --dry-run')
      expect(await due()).toContain('0 files')
      // As it is when the server has had it for as long.
      const ago = { stored_at: json.lastModified }
      await site.withDatabase(({ db }) =>
        db.updateTable('file_hashes').set(ago).where('storage_key', '=', 'old/picture.txt').execute(),
      )
      expect(await due()).toContain('1 files with 21 bytes')
    })

    it('takes its own ages alone', async () => {
      expect(await site.cli('storage clean 2 --after 8')).not.toBe(0)
      expect(await site.cli('storage clean 2 --after 7 --by size')).not.toBe(0)
      expect(await site.cli('storage clean 9 --after 7')).not.toBe(0)
    })
  })
}
