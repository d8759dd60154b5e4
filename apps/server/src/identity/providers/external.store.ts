import type { Db, Tx } from '../../kernel/db/index.ts'
import type { GroupMemberRow } from '../groups/index.ts'
import type { UserRow } from '../users/index.ts'
import type { ExternalAccountRow } from './providers.schema.ts'

/** SQLite allows 32,766 bound values in a statement. */
const IDS_PER_STATEMENT = 1000

const COLUMNS = ['id', 'account', 'account_key', 'name', 'email', 'email_key', 'phone', 'department_id'] as const
const STATES = ['account_type', 'is_admin', 'is_super', 'locked'] as const
export type ComparedUser = Pick<UserRow, (typeof COLUMNS)[number] | (typeof STATES)[number]>

/** The only SQL over accounts that come from elsewhere. */
export const externalStore = {
  ofUser: (db: Db | Tx, userId: string): Promise<ExternalAccountRow | undefined> =>
    db.selectFrom('external_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst(),
  byKey: (db: Db | Tx, providerId: number, key: string): Promise<ExternalAccountRow | undefined> =>
    db
      .selectFrom('external_accounts')
      .selectAll()
      .where('provider_id', '=', providerId)
      .where('external_key', '=', key)
      .executeTakeFirst(),
  ofProvider: (db: Db | Tx, providerId: number): Promise<ExternalAccountRow[]> =>
    db.selectFrom('external_accounts').selectAll().where('provider_id', '=', providerId).execute(),
  /** Names of the providers that accounts come from. */
  async sourcesOf(
    db: Db | Tx,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly id: number; readonly name: string }>> {
    if (userIds.length === 0) return new Map()
    const rows = await db
      .selectFrom('external_accounts')
      .innerJoin('auth_providers', 'auth_providers.id', 'external_accounts.provider_id')
      .select(['external_accounts.user_id as userId', 'auth_providers.id', 'auth_providers.name'])
      .where('external_accounts.user_id', 'in', userIds)
      .execute()
    return new Map(rows.map(({ userId, id, name }) => [userId, { id, name }]))
  },
  memberships: (db: Db | Tx) => db.selectFrom('external_members').selectAll().execute(),
  membershipsOf: (db: Db | Tx, userId: string) =>
    db.selectFrom('external_members').selectAll().where('user_id', '=', userId).execute(),
  /** Accounts linked to any provider. */
  linked: (db: Db | Tx) => db.selectFrom('external_accounts').select('user_id').execute(),
  /** What a plan compares, of every account. */
  users: (db: Db | Tx): Promise<ComparedUser[]> =>
    db
      .selectFrom('users')
      .select([...COLUMNS, ...STATES])
      .execute(),
  usersNamed: (db: Db | Tx, keys: readonly string[]): Promise<ComparedUser[]> =>
    db
      .selectFrom('users')
      .select([...COLUMNS, ...STATES])
      .where((where) => where.or([where('account_key', 'in', keys), where('email_key', 'in', keys)]))
      .execute(),
  async retiredHomes(db: Db | Tx, homes: readonly string[]): Promise<ReadonlySet<string>> {
    if (homes.length === 0) return new Set()
    const rows = await db.selectFrom('retired_homes').select('home').where('home', 'in', homes).execute()
    return new Set(rows.map(({ home }) => home))
  },
  async insertUsers(tx: Tx, users: readonly UserRow[], spaceId: number): Promise<void> {
    if (users.length === 0) return
    await tx
      .insertInto('users')
      .values([...users])
      .execute()
    const members = users.map(({ id }) => ({ user_id: id, space_id: spaceId, chosen: 0, is_admin: 0 }))
    await tx.insertInto('space_members').values(members).execute()
  },
  async insertLinks(tx: Tx, links: readonly ExternalAccountRow[]): Promise<void> {
    if (links.length > 0)
      await tx
        .insertInto('external_accounts')
        .values([...links])
        .execute()
  },
  async changeLink(tx: Tx, userId: string, change: Partial<ExternalAccountRow>): Promise<void> {
    await tx.updateTable('external_accounts').set(change).where('user_id', '=', userId).execute()
  },
  /** Notes that a provider locks these; not those that somebody else has locked. To be called before they are locked. */
  async markLocked(tx: Tx, userIds: readonly string[]): Promise<void> {
    for (let at = 0; at < userIds.length; at += IDS_PER_STATEMENT) {
      const ids = userIds.slice(at, at + IDS_PER_STATEMENT)
      await tx
        .updateTable('external_accounts')
        .set({ locked_by_sync: 1 })
        .where(({ eb, selectFrom }) =>
          eb('user_id', 'in', selectFrom('users').select('id').where('id', 'in', ids).where('locked', '=', 0)),
        )
        .execute()
    }
  },
  /** @returns whether a provider has locked it, until now */
  async takeLock(tx: Tx, userId: string): Promise<boolean> {
    const update = tx.updateTable('external_accounts').set({ locked_by_sync: 0 })
    const result = await update.where('user_id', '=', userId).where('locked_by_sync', '=', 1).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  /** From now on no provider unlocks these. */
  async forgetLocks(tx: Db | Tx, userIds: readonly string[]): Promise<void> {
    for (let at = 0; at < userIds.length; at += IDS_PER_STATEMENT) {
      const update = tx.updateTable('external_accounts').set({ locked_by_sync: 0 })
      await update.where('user_id', 'in', userIds.slice(at, at + IDS_PER_STATEMENT)).execute()
    }
  },
  /** Makes accounts members of groups of which they are none yet, and notes that a provider did. */
  async join(tx: Tx, rows: readonly GroupMemberRow[]): Promise<void> {
    for (const row of rows) {
      const mine = (query: 'group_members' | 'external_members') =>
        tx.selectFrom(query).select('user_id').where('group_id', '=', row.group_id).where('user_id', '=', row.user_id)
      if ((await mine('group_members').executeTakeFirst()) === undefined)
        await tx.insertInto('group_members').values(row).execute()
      if ((await mine('external_members').executeTakeFirst()) === undefined)
        await tx.insertInto('external_members').values({ user_id: row.user_id, group_id: row.group_id }).execute()
    }
  },
  async leave(tx: Tx, userId: string, groupIds: readonly number[]): Promise<void> {
    if (groupIds.length === 0) return
    for (const table of ['group_members', 'external_members'] as const)
      await tx.deleteFrom(table).where('user_id', '=', userId).where('group_id', 'in', groupIds).execute()
  },
}
