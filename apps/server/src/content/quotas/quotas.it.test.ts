import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../../identity/users/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createQuotas, type Quotas } from './index.ts'

for (const { dialect, open } of DATABASES) {
  describe(`quotas on ${dialect}`, () => {
    let world: World
    let quotas: Quotas
    let userId: string

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' as const }
      userId = (await createUser(users, { account: 'alice', email: '', password: 'Sunrise-42x' })).id
      quotas = createQuotas({ db: database.db, dialect: database.dialect, defaultBytes: 1000 })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('admits exactly what fits of 200 parallel reservations', async () => {
      const { db } = world.database
      const tries = Array.from({ length: 200 }, () =>
        db.transaction().execute((tx) => quotas.reserveBytes(tx, userId, 7)),
      )
      const ends = await Promise.allSettled(tries)
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(142)
      expect(await quotas.usageOf(userId)).toEqual({ usedBytes: 994, quotaBytes: 1000 })
    })

    it('turns a reservation into used bytes, and frees them', async () => {
      const { db } = world.database
      await quotas.reserveBytes(db, userId, 600)
      await quotas.commitBytes(db, userId, { reserved: 600, used: 500 })
      expect((await quotas.usageOf(userId)).usedBytes).toBe(500)
      await expect(quotas.reserveBytes(db, userId, 501)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
      await quotas.freeBytes(db, userId, 400)
      await quotas.reserveBytes(db, userId, 900)
      await quotas.releaseBytes(db, userId, 900)
      expect((await quotas.usageOf(userId)).usedBytes).toBe(100)
    })

    it('never counts below nothing', async () => {
      const { db } = world.database
      await quotas.reserveBytes(db, userId, 1)
      await quotas.freeBytes(db, userId, 5)
      await quotas.releaseBytes(db, userId, 5)
      expect((await quotas.usageOf(userId)).usedBytes).toBe(0)
    })

    it('has no limit at 0', async () => {
      await world.database.db.updateTable('users').set({ quota_bytes: 0 }).where('id', '=', userId).execute()
      await quotas.reserveBytes(world.database.db, userId, 10 ** 15)
      expect(await quotas.usageOf(userId)).toEqual({ usedBytes: 10 ** 15, quotaBytes: 0 })
    })

    it('leaves no trace of a reservation whose change did not happen', async () => {
      const change = world.database.db.transaction().execute(async (tx) => {
        await quotas.reserveBytes(tx, userId, 10)
        throw new Error('the change failed')
      })
      await expect(change).rejects.toThrow('the change failed')
      expect((await quotas.usageOf(userId)).usedBytes).toBe(0)
    })
  })
}
