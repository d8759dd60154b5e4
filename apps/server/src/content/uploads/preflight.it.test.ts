import fs from 'node:fs'
import path from 'node:path'
import { ERRORS, LIMITS } from '@godwit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { IntakeSite } from '../intake/testing/intake-site.ts'
import { preflight } from './preflight.ts'

for (const { dialect, open } of DATABASES) {
  describe(`the check of a drop on ${dialect}`, () => {
    let site: IntakeSite

    beforeAll(async () => {
      site = await IntakeSite.open(await open())
    })
    beforeEach(async () => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    const check = (
      paths: readonly string[],
      more: { readonly sizes?: readonly number[]; readonly totalBytes?: number } = {},
    ) => {
      const sizes = more.sizes ?? paths.map(() => 1)
      const totalBytes = more.totalBytes ?? paths.length
      return preflight(site.deps, site.ctx, {
        spaceId: 1,
        groupId: 0,
        folder: '/',
        paths: [...paths],
        sizes: [...sizes],
        totalBytes,
      })
    }
    const codes = async (...paths: readonly string[]) =>
      (await check(paths)).problems.map(({ index, code }) => [paths[index], code])
    const put = (name: string, content = 'text'): void => {
      const at = site.onDisk(name)
      fs.mkdirSync(path.dirname(at), { recursive: true })
      fs.writeFileSync(at, content)
    }

    it('finds nothing where nothing is, and makes nothing', async () => {
      expect(await check(['a', 'deep/er/b'])).toEqual({ problems: [], quotaLeftBytes: null, isStorageFull: false })
      expect(fs.existsSync(site.onDisk('deep'))).toBe(false)
    })

    it('reports names that are taken, or differ in case only, in subfolders too', async () => {
      put('box/Plan.txt', 'four')
      fs.mkdirSync(site.onDisk('box/inner'))
      expect(await codes('box/Plan.txt', 'box/plan.txt', 'Box/new', 'box/inner', 'box/Plan.txt/x', 'box/free')).toEqual(
        [
          ['box/Plan.txt', ERRORS.PATH_EXISTS.wire],
          ['box/plan.txt', ERRORS.NAME_CASE_CLASH.wire],
          ['Box/new', ERRORS.NAME_CASE_CLASH.wire],
          ['box/inner', ERRORS.PATH_EXISTS.wire],
          ['box/Plan.txt/x', ERRORS.PATH_IS_FILE.wire],
        ],
      )
      const { problems } = await check(['box/Plan.txt', 'box/plan.txt'])
      expect(problems[0]?.existing).toMatchObject({ isFolder: false, size: 4 })
      expect(problems[1]?.data).toEqual({ name: 'Plan.txt' })
    })

    it('reports names, lengths and sizes that no upload may have', async () => {
      site.restart({ maxBytes: 10 })
      const long = `${'x'.repeat(200)}/`.repeat(21) + 'a'
      expect(long.length).toBeGreaterThan(LIMITS.pathMaxBytes)
      expect(await codes('a:b', 'fine', '../up', 'x//y', long)).toEqual([
        ['a:b', ERRORS.NAME_INVALID.wire],
        ['../up', ERRORS.NAME_INVALID.wire],
        ['x//y', ERRORS.NAME_INVALID.wire],
        [long, ERRORS.PATH_TOO_LONG.wire],
      ])
      const { problems } = await check(['a', 'b'], { sizes: [10, 11] })
      expect(problems).toMatchObject([{ index: 1, code: ERRORS.UPLOAD_TOO_LARGE.wire, data: { maxBytes: 10 } }])
    })

    it('says what the quota leaves and whether the storage has the room', async () => {
      const { db } = site.world.database
      await db.updateTable('users').set({ quota_bytes: 1_000 }).where('id', '=', site.alice.id).execute()
      expect(await check(['a'])).toMatchObject({ quotaLeftBytes: 1_000, isStorageFull: false })
      expect(await check(['a'], { totalBytes: Number.MAX_SAFE_INTEGER })).toMatchObject({ isStorageFull: true })
    })

    it('refuses the whole call for a folder that is none, and for sizes that do not fit the names', async () => {
      const request = { spaceId: 1, groupId: 0, folder: '/absent', paths: ['a'], sizes: [1], totalBytes: 1 }
      await expect(preflight(site.deps, site.ctx, request)).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
      await expect(check(['a', 'b'], { sizes: [1] })).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      const bottomless = Array.from({ length: 30 }, (_, at) => `${at}/${'a/'.repeat(2_000)}b`)
      await expect(check(bottomless)).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
    })

    it('answers for 10,000 files', async () => {
      for (let at = 0; at < 500; at++) put(`many/${at}`)
      const { problems } = await check(Array.from({ length: 10_000 }, (_, at) => `many/${at}`))
      expect(problems).toHaveLength(500)
    })
  })
}
