import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SpaceMembersTable } from './memberships.schema.ts'

/** The only SQL over who is a member of which space. The spaces themselves are of a higher layer. */
export const membershipsStore = {
  /** Ascending by space. */
  ofUser: (db: Db | Tx, userId: string): Promise<SpaceMembersTable[]> =>
    db.selectFrom('space_members').selectAll().where('user_id', '=', userId).orderBy('space_id').execute(),
  /** Ascending by space, with what narrows each. */
  standings: (db: Db | Tx, userId: string) =>
    db
      .selectFrom('space_members')
      .leftJoin('space_rules', 'space_rules.space_id', 'space_members.space_id')
      .select(['space_members.space_id as spaceId', 'permission', 'allowed_addresses', 'denied_addresses'])
      .where('user_id', '=', userId)
      .orderBy('space_members.space_id')
      .execute(),
  async add(db: Db | Tx, userId: string, spaceId: number): Promise<void> {
    await db
      .insertInto('space_members')
      .values({ user_id: userId, space_id: spaceId, chosen: 0, is_admin: 0, permission: null, transfer: null })
      .execute()
  },
  /** @returns false when it was no member */
  async remove(db: Db | Tx, userId: string, spaceId: number): Promise<boolean> {
    const query = db.deleteFrom('space_members').where('user_id', '=', userId).where('space_id', '=', spaceId)
    return (await query.executeTakeFirst()).numDeletedRows > 0n
  },
  /** Ends every membership of a space. @returns whose */
  async removeAll(tx: Tx, spaceId: number): Promise<readonly string[]> {
    const members = await tx.selectFrom('space_members').select('user_id').where('space_id', '=', spaceId).execute()
    await tx.deleteFrom('space_members').where('space_id', '=', spaceId).execute()
    return members.map(({ user_id: userId }) => userId)
  },
  /** @returns false when it is no member */
  async choose(tx: Tx, userId: string, spaceId: number): Promise<boolean> {
    await tx.updateTable('space_members').set({ chosen: 0 }).where('user_id', '=', userId).execute()
    const query = tx.updateTable('space_members').set({ chosen: 1 })
    const result = await query.where('user_id', '=', userId).where('space_id', '=', spaceId).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async setAdmin(
    tx: Tx,
    { userId, spaceId }: { readonly userId: string; readonly spaceId: number },
    isAdmin: boolean,
  ): Promise<void> {
    const update = tx.updateTable('space_members').set({ is_admin: isAdmin ? 1 : 0 })
    await update.where('user_id', '=', userId).where('space_id', '=', spaceId).execute()
  },
  /** Sets what a member may do, or how it transfers. */
  async change(
    tx: Tx,
    { userId, spaceId }: { readonly userId: string; readonly spaceId: number },
    change: Partial<Pick<SpaceMembersTable, 'permission' | 'transfer'>>,
  ): Promise<void> {
    if (Object.keys(change).length === 0) return
    const update = tx.updateTable('space_members').set(change)
    await update.where('user_id', '=', userId).where('space_id', '=', spaceId).execute()
  },
  /** @returns undefined for no member */
  of: (db: Db | Tx, userId: string, spaceId: number): Promise<SpaceMembersTable | undefined> =>
    db
      .selectFrom('space_members')
      .selectAll()
      .where('user_id', '=', userId)
      .where('space_id', '=', spaceId)
      .executeTakeFirst(),
  /** Administrators of single spaces, by account. */
  administrators: (db: Db | Tx) =>
    db
      .selectFrom('space_members')
      .innerJoin('users', 'users.id', 'space_members.user_id')
      .select(['space_members.space_id as spaceId', 'users.id as userId', 'users.account'])
      .where('space_members.is_admin', '=', 1)
      .orderBy('users.account_key')
      .execute(),
  /** Members by account. @param wanted.text part of an account, folded; '' fits all */
  async page(db: Db, wanted: { spaceId: number; text: string; page: number; size: number }) {
    const found = db
      .selectFrom('space_members')
      .innerJoin('users', 'users.id', 'space_members.user_id')
      .where('space_id', '=', wanted.spaceId)
      .$if(wanted.text !== '', (query) =>
        query.where('account_key', 'like', `%${wanted.text.replaceAll(/[%\\]/g, '')}%`),
      )
    const rows = await found
      .select([
        'users.id',
        'users.account',
        'users.name',
        'users.email',
        'space_members.is_admin',
        'space_members.transfer',
      ])
      .select('space_members.permission as permission')
      .orderBy('account_key')
      .limit(wanted.size)
      .offset((wanted.page - 1) * wanted.size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
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
