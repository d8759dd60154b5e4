import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { secureRandom } from '@godwit/base'
import { DATABASES } from '../../testing/worlds.ts'
import { bytes, HOUR } from '../../content/intake/testing/intake-site.ts'
import { JobSite } from '../../content/recycle/testing/job-site.ts'
import { verify } from './verify.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`verify on ${dialect}`, () => {
    let site: JobSite
    beforeAll(async () => (site = await JobSite.open(await open())))
    beforeEach(async () => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    const look = (repair = false) => {
      const { world, deps, ctx } = site.intake
      const { storages } = deps.files
      const { database, clock, folder: data } = world
      return verify(
        { database, storages, data, clock, random: secureRandom, signal: ctx.signal },
        { all: false, repair },
      )
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
