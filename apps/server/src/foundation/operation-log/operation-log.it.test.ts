import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../kernel/db/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { forgetOperations, verifyLog } from './index.ts'
import { appendOperations } from './operation-log.service.ts'

const DAY_MS = 24 * 3_600_000

for (const { dialect, open } of DATABASES) {
  describe(`the operation log on ${dialect}`, () => {
    let world: World
    beforeEach(async () => {
      world = await open()
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    const actor = { id: 'a', account: 'admin', door: 'page', address: '192.0.2.1', userAgent: 'x', requestId: 'r' }
    const append = (...names: readonly string[]) =>
      inTransaction(world.database.db, (tx) =>
        appendOperations(world, tx, {
          ...{ actor, operation: 'user.edit' },
          things: names.map((name) => ({
            kind: 'user',
            id: name,
            name,
            after: { password: 'Sunrise', nested: { apiToken: 'x' } },
          })),
        }),
      )
    const report = () => verifyLog(world.database.db)

    it('is one chain, also when many write at once, and keeps no secret', async () => {
      await Promise.all(Array.from({ length: 12 }, (_, at) => append(`one ${at}`, `two ${at}`)))
      expect(await report()).toEqual({ rows: 24, first: 1, last: 24, faults: [] })
      const row = await world.database.db.selectFrom('operation_log').selectAll().executeTakeFirstOrThrow()
      expect(JSON.parse(row.state_after)).toEqual({ password: '***', nested: { apiToken: '***' } })
    })

    it('shows whatever was changed, taken out or cut off', async () => {
      await append('a', 'b', 'c', 'd', 'e')
      const { db } = world.database
      await db.updateTable('operation_log').set({ actor: 'nobody' }).where('seq', '=', 2).execute()
      expect((await report()).faults).toEqual([{ seq: 2, fault: 'changed' }])
      await db.deleteFrom('operation_log').where('seq', '=', 2).execute()
      expect((await report()).faults).toEqual([{ seq: 3, fault: 'gap' }])
      await db.deleteFrom('operation_log').where('seq', '=', 5).execute()
      expect((await report()).faults.at(-1)).toEqual({ seq: 5, fault: 'end' })
    })

    it('forgets what is older than its retention, and the rest is still one chain', async () => {
      await append('old', 'old too')
      world.clock.advance(2 * DAY_MS)
      await append('young')
      await forgetOperations({ ...world, db: world.database.db }, 1)
      expect(await report()).toEqual({ rows: 1, first: 3, last: 3, faults: [] })
      await append('younger')
      expect(await report()).toMatchObject({ rows: 2, faults: [] })
      world.clock.advance(9 * DAY_MS)
      await forgetOperations({ ...world, db: world.database.db }, 0)
      expect((await report()).rows).toBe(2)
    })
  })
}
