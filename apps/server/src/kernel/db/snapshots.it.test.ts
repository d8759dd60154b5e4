import { describe, expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { inSnapshot } from './snapshots.ts'
import { inTransaction } from './transactions.ts'

for (const { dialect, open } of DATABASES) {
  describe(`a snapshot of ${dialect}`, () => {
    it('shows one instant, while others go on writing', async () => {
      await using world = await open()
      const { db } = world.database
      const add = (name: string) =>
        inTransaction(db, (tx) => tx.insertInto('facts').values({ name, value: '' }).execute())
      await add('before')
      const names = await inSnapshot(world.database, async (tx) => {
        const look = async () => {
          const rows = await tx
            .selectFrom('facts')
            .select('name')
            .where('name', 'in', ['before', 'meanwhile'])
            .execute()
          return rows.map(({ name }) => name)
        }
        const first = await look()
        await add('meanwhile')
        return [...first, ...(await look())]
      })
      expect(names).toEqual(['before', 'before'])
      expect(await db.selectFrom('facts').select('name').where('name', '=', 'meanwhile').execute()).toHaveLength(1)
    })
  })
}
