import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SpaceMembersTable } from './memberships.schema.ts'

/** The only SQL over who is a member of which space. The spaces themselves are of a higher layer. */
export const membershipsStore = {
  /** Ascending by space. */
  ofUser: (db: Db | Tx, userId: string): Promise<SpaceMembersTable[]> =>
    db.selectFrom('space_members').selectAll().where('user_id', '=', userId).orderBy('space_id').execute(),
  async add(db: Db | Tx, userId: string, spaceId: number): Promise<void> {
    await db.insertInto('space_members').values({ user_id: userId, space_id: spaceId, chosen: 0 }).execute()
  },
  /** @returns false when it was no member */
  async remove(db: Db | Tx, userId: string, spaceId: number): Promise<boolean> {
    const query = db.deleteFrom('space_members').where('user_id', '=', userId).where('space_id', '=', spaceId)
    return (await query.executeTakeFirst()).numDeletedRows > 0n
  },
  /** @returns false when it is no member */
  async choose(tx: Tx, userId: string, spaceId: number): Promise<boolean> {
    await tx.updateTable('space_members').set({ chosen: 0 }).where('user_id', '=', userId).execute()
    const query = tx.updateTable('space_members').set({ chosen: 1 })
    const result = await query.where('user_id', '=', userId).where('space_id', '=', spaceId).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  count: async (db: Db | Tx): Promise<ReadonlyMap<number, number>> => {
    const rows = await db
      .selectFrom('space_members')
      .select(['space_id', (select) => select.fn.countAll<number>().as('members')])
      .groupBy('space_id')
      .execute()
    return new Map(rows.map(({ space_id, members }) => [space_id, Number(members)]))
  },
}
