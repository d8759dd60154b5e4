import fs from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { secureRandom } from '@godwit/base'
import { DATABASES } from '../../testing/worlds.ts'
import { bytes, HOUR } from '../../content/intake/testing/intake-site.ts'
import { forgetHashOf, hashAt, replaceHash } from '../../content/quotas/index.ts'
import { JobSite } from '../../content/recycle/testing/job-site.ts'
import { verify } from './verify.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`verify on ${dialect}`, () => {
    let site: JobSite
    beforeAll(async () => (site = await JobSite.open(await open())))
    beforeEach(async () => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    const look = (repair = false, all = false) => {
      const { world, deps, ctx } = site.intake
      const { storages } = deps.files
      const { database, clock, folder: data } = world
      return verify({ database, storages, data, clock, random: secureRandom, signal: ctx.signal }, { all, repair })
    }

    it('misses nothing that the server finishes by itself', async () => {
      await site.intake.upload(bytes(10), { filename: 'gone' })
      await site.call('remove', { paths: ['/gone'] })
      await site.runJobs()
      const { db } = site.deps
      // A purge that was cut after the bytes, before the hashes and the row.
      const item = await db.selectFrom('recycle_items').selectAll().executeTakeFirstOrThrow()
      await db.updateTable('recycle_items').set({ purging: 1 }).execute()
      await site.intake.deps.files.storages.all()[0]?.remove(item.storage_key)
      // An expired upload that lost its bytes.
      const { live } = await site.intake.create({ size: 100, filename: 'open' })
      await live.store.abortUpload(live.stored)
      site.intake.world.clock.advance(25 * HOUR)
      expect((await look()).problems).toEqual([])
      await db.updateTable('recycle_items').set({ purging: 0 }).execute()
      expect((await look()).problems.map(({ kind }) => kind)).toContain('missing')
    })

    describe('the recorded hashes', () => {
      const at = (name: string) => {
        const key = `${site.intake.alice.home}/${name}`
        const { db } = site.deps
        return {
          key,
          file: site.intake.onDisk(name),
          recorded: () => hashAt(db, { spaceIds: [1], key }),
          /** As if it had been recorded with the present tag, or with one that differs from it in part. */
          recordedWith: async (change: (tag: string) => string) => {
            const entry = await site.intake.deps.files.storages.all()[0]?.stat(key)
            const etag = change(entry?.etag ?? '')
            await db.updateTable('file_hashes').set({ etag }).where('storage_key', '=', key).execute()
          },
        }
      }
      /** Those of this test's account, by name. */
      const own = (items: ReadonlyArray<{ readonly key: string }>) =>
        items
          .filter(({ key }) => key.startsWith(`${site.intake.alice.home}/`))
          .toSorted((left, right) => (left.key < right.key ? -1 : 1))
      const onOtherInode = (tag: string): string => tag.replace(/-[^-]+-[^-]+$/, '-1-1')

      it('are made for files without one and for files that were written to, once, and only when asked to', async () => {
        const [written, foreign, copied] = [at('written'), at('foreign'), at('copied')]
        for (const filename of ['written', 'copied']) await site.intake.upload(bytes(10), { filename })
        const before = await written.recorded()
        fs.writeFileSync(foreign.file, 'by hand')
        fs.writeFileSync(written.file, 'something longer than before')
        await copied.recordedWith(onOtherInode)
        expect((await look(false, true)).hashes).toEqual([])
        expect([await foreign.recorded(), await written.recorded()]).toEqual([undefined, before])
        const report = await look(true)
        expect(own(report.hashes)).toEqual([
          { key: copied.key, change: 'retagged' },
          { key: foreign.key, change: 'recorded' },
          { key: written.key, change: 'renewed' },
        ])
        expect(own(report.problems)).toEqual([])
        const again = await look(true, true)
        expect([again.hashes, again.changedCount, own(again.problems)]).toEqual([[], 0, []])
        expect(again.intact).toBe(again.files)
      })

      it('stay where bytes differ while size and time do not: that is damage', async () => {
        const [rotten, lost] = [at('rotten'), at('lost')]
        for (const filename of ['rotten', 'lost']) await site.intake.upload(bytes(10), { filename })
        for (const { file } of [rotten, lost]) fs.writeFileSync(file, '0123456789')
        await rotten.recordedWith((tag) => tag)
        await lost.recordedWith(onOtherInode)
        const before = [await rotten.recorded(), await lost.recorded()]
        const report = await look(true, true)
        expect(own(report.problems)).toMatchObject([
          { kind: 'damaged', key: lost.key },
          { kind: 'damaged', key: rotten.key },
        ])
        expect(own(report.hashes)).toEqual([])
        expect([await rotten.recorded(), await lost.recorded()]).toEqual(before)
      })

      it('of a file that is replaced while it is read say nothing of the new one', async () => {
        const [first, second] = [at('first'), at('second')]
        for (const filename of ['first', 'second']) await site.intake.upload(bytes(10), { filename })
        await second.recordedWith(onOtherInode)
        const [store] = site.intake.deps.files.storages.all()
        if (store === undefined) throw new Error('no store')
        const openRead = store.openRead.bind(store)
        const replaced = new Set<string>()
        vi.spyOn(store, 'openRead').mockImplementation(async (key, ...more) => {
          const one = [first, second].find((each) => each.key === key && !replaced.has(key))
          if (one !== undefined) {
            replaced.add(key)
            const filename = one === first ? 'first' : 'second'
            await site.intake.upload(bytes(10, 2), { filename, conflict: 'replace' })
          }
          return openRead(key, ...more)
        })
        const report = await look(true, true)
        vi.restoreAllMocks()
        expect(replaced.size).toBe(2)
        expect([own(report.problems), own(report.hashes)]).toEqual([[], []])
        expect(own((await look(true, true)).problems)).toEqual([])
      })

      it('are left to whoever changes the file meanwhile', async () => {
        const { db } = site.deps
        const { clock } = site.intake.world
        await site.intake.upload(bytes(10), { filename: 'busy' })
        const { key, recorded } = at('busy')
        const own = { spaceId: 1, key, etag: 'mine', hash: 'mine' }
        expect(await replaceHash({ db, clock }, own, undefined)).toBe(false)
        expect(await replaceHash({ db, clock }, own, 'another')).toBe(false)
        expect((await recorded())?.hash).not.toBe('mine')
        expect(await replaceHash({ db, clock }, own, (await recorded())?.etag)).toBe(true)
        await forgetHashOf(db, own)
        expect(await recorded()).toBeUndefined()
      })
    })

    it('corrects booked bytes, and only when it is asked to', async () => {
      await site.intake.upload(bytes(10), { filename: 'file' })
      const { db } = site.deps
      const { alice } = site.intake
      await db
        .updateTable('quotas')
        .set({ used_bytes: 99, reserved_bytes: 7 })
        .where('user_id', '=', alice.id)
        .execute()
      expect((await look()).usage).toEqual([])
      const { usage } = await look(true)
      expect(usage.find(({ account }) => account === alice.account)).toEqual({
        account: alice.account,
        recorded: { usedBytes: 99, reservedBytes: 7 },
        actual: { usedBytes: 10, reservedBytes: 0 },
        isRepaired: true,
      })
      expect(await site.intake.usedBytes()).toBe(10)
    })
  })
}
