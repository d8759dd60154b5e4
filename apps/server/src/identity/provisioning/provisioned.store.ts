import type { Db, Tx } from '../../kernel/db/index.ts'
import type { ScimAccountRow, ScimGroupRow } from './provisioning.schema.ts'

/** SQLite allows 32,766 bound values in a statement. */
const IDS_PER_STATEMENT = 1000

/** The only SQL over what an identity management says of accounts and groups, besides the search. */
export const provisionedStore = {
  async ofUsers(db: Db | Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, ScimAccountRow>> {
    if (userIds.length === 0) return new Map()
    const rows = await db.selectFrom('scim_accounts').selectAll().where('user_id', 'in', userIds).execute()
    return new Map(rows.map((row) => [row.user_id, row]))
  },
  byUserName: (db: Db | Tx, key: string): Promise<ScimAccountRow | undefined> =>
    db.selectFrom('scim_accounts').selectAll().where('user_name_key', '=', key).executeTakeFirst(),
  /** Accounts by the folded names that their people sign in with elsewhere. */
  userNames: (db: Db | Tx): Promise<Array<Pick<ScimAccountRow, 'user_id' | 'user_name_key'>>> =>
    db.selectFrom('scim_accounts').select(['user_id', 'user_name_key']).execute(),
  async putAccount(tx: Tx, row: ScimAccountRow): Promise<void> {
    await tx.deleteFrom('scim_accounts').where('user_id', '=', row.user_id).execute()
    await tx.insertInto('scim_accounts').values(row).execute()
  },
  /** From now on the identity management unlocks none of these. */
  async forgetLocks(tx: Db | Tx, userIds: readonly string[]): Promise<void> {
    for (let at = 0; at < userIds.length; at += IDS_PER_STATEMENT) {
      const update = tx.updateTable('scim_accounts').set({ locked_by_scim: 0 })
      await update.where('user_id', 'in', userIds.slice(at, at + IDS_PER_STATEMENT)).execute()
    }
  },
  async countAccounts(db: Db | Tx): Promise<number> {
    const row = await db
      .selectFrom('scim_accounts')
      .select((select) => select.fn.countAll<number>().as('n'))
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  },
  async ofGroups(db: Db | Tx, groupIds: readonly number[]): Promise<ReadonlyMap<number, ScimGroupRow>> {
    if (groupIds.length === 0) return new Map()
    const rows = await db.selectFrom('scim_groups').selectAll().where('group_id', 'in', groupIds).execute()
    return new Map(rows.map((row) => [row.group_id, row]))
  },
  async putGroup(tx: Tx, row: ScimGroupRow): Promise<void> {
    await tx.deleteFrom('scim_groups').where('group_id', '=', row.group_id).execute()
    await tx.insertInto('scim_groups').values(row).execute()
  },
  /** Members of groups, by account. */
  async membersOf(db: Db | Tx, groupIds: readonly number[]) {
    if (groupIds.length === 0) return []
    return db
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .select(['group_members.group_id as groupId', 'users.id', 'users.account', 'users.name'])
      .where('group_members.group_id', 'in', groupIds)
      .orderBy('users.account_key')
      .execute()
  },
}
