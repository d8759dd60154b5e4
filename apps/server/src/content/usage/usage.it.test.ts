import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { bytes, IntakeSite } from '../intake/testing/intake-site.ts'
import { reconcileUsage } from './usage.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`what is booked and what is there, on ${dialect}`, () => {
    let site: IntakeSite

    beforeAll(async () => {
      site = await IntakeSite.open(await open())
    })
    beforeEach(async () => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    const reconcile = async (repair: boolean) => {
      const { db, files } = site.deps
      const deps = { db, storages: files.storages, signal: site.ctx.signal }
      return (await reconcileUsage(deps, { repair })).filter(({ account }) => account === site.alice.account)
    }
    const book = (used_bytes: number, reserved_bytes: number) =>
      site.deps.db
        .updateTable('quotas')
        .set({ used_bytes, reserved_bytes })
        .where('user_id', '=', site.alice.id)
        .execute()
    /** Something of everything that counts: files, an open upload, a batch, the bin, a copy under way. */
    const fill = async () => {
      await site.upload(bytes(100), { relativePath: 'deep/file' })
      await site.create({ size: 1000, filename: 'open' })
      const { db, ids } = site.deps
      const own = {
        id: ids.next(),
        user_id: site.alice.id,
        space_id: 1,
        group_id: 0,
        fence: 0,
        origin: '',
        created_at: 0,
      }
      await db
        .insertInto('intake_batches')
        .values({ ...own, reserved_bytes: 200, files: '[]' })
        .execute()
      const item = {
        space_id: 1,
        group_id: 0,
        path: '/gone',
        storage_key: 'x',
        is_folder: 0,
        deleted_at: 0,
        purging: 0,
      }
      await db
        .insertInto('recycle_items')
        .values({ ...item, id: ids.next(), owner_id: site.alice.id, size: 30 })
        .execute()
      const step = {
        bucket: site.alice.id,
        job_id: '',
        job_at: -1,
        state: 'begun',
        step: '{}',
        created_at: 0,
      } as const
      await db
        .insertInto('file_steps')
        .values({ ...step, id: ids.next(), reserved_bytes: 4000 })
        .execute()
    }
    const ACTUAL = { usedBytes: 130, reservedBytes: 5200 }

    it('counts files, the bin, uploads, batches and copies', async () => {
      await fill()
      await book(130, 5200)
      expect(await reconcile(false)).toEqual([])
      await book(131, 5199)
      const [difference] = await reconcile(false)
      expect(difference).toMatchObject({ recorded: { usedBytes: 131 }, actual: ACTUAL, isRepaired: false })
      expect(await reconcile(true)).toMatchObject([{ actual: ACTUAL, isRepaired: true }])
      expect(await reconcile(false)).toEqual([])
      expect(await site.usedBytes()).toBe(130 + 5200)
    })

    it('books files of an account that never uploaded', async () => {
      fs.mkdirSync(site.onDisk('.'), { recursive: true })
      fs.writeFileSync(path.join(site.onDisk('.'), 'by hand'), 'seven b')
      expect(await reconcile(true)).toMatchObject([{ actual: { usedBytes: 7, reservedBytes: 0 }, isRepaired: true }])
      expect(await site.usedBytes()).toBe(7)
    })

    it('never corrects an account that changes meanwhile', async () => {
      await fill()
      const { storages } = site.deps.files
      let turns = 0
      const busy = {
        ...storages,
        ofPlace: () => {
          turns++
          return storages.ofPlace({ ownerId: site.alice.id, spaceId: 1, groupId: 0 })
        },
      }
      const { db } = site.deps
      const moving = new Proxy(db, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target)
          if (name !== 'updateTable') return typeof value === 'function' ? (value.bind(target) as unknown) : value
          return (table: 'quotas') => target.updateTable(table).where('used_bytes', '=', -1)
        },
      })
      const deps = { db: moving, storages: busy, signal: site.ctx.signal }
      const found = (await reconcileUsage(deps, { repair: true })).find(({ account }) => account === site.alice.account)
      expect(found).toMatchObject({ isRepaired: false })
      expect(turns).toBeGreaterThanOrEqual(3)
    })
  })
}
