import { sql, type Insertable } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import type { UserRow } from '../users/index.ts'
import type { GroupMemberRow, GroupRow } from './groups.schema.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** The limits of its library are others now. */
    readonly 'group.speed-changed': { readonly groupId: number }
  }
}

/** A group together with what one member may do in it. */
export type Membership = GroupRow & Pick<GroupMemberRow, 'permission' | 'is_admin'>

export interface MemberOfGroup {
  readonly account: string
  readonly permission: number
  readonly is_admin: number
}

/** The only SQL over groups and their members. */
export const groupsStore = {
  all: (db: Db | Tx): Promise<GroupRow[]> =>
    db.selectFrom('user_groups').selectAll().orderBy('space_id').orderBy('name_key').execute(),

  byId: (db: Db | Tx, id: number): Promise<GroupRow | undefined> =>
    db.selectFrom('user_groups').selectAll().where('id', '=', id).executeTakeFirst(),

  /** Those with limits of their own. */
  limited: (db: Db | Tx): Promise<Array<Pick<GroupRow, 'id' | 'speed_rules'>>> =>
    db.selectFrom('user_groups').select(['id', 'speed_rules']).where('speed_rules', 'is not', null).execute(),

  /** @returns its id */
  async insert(db: Db | Tx, row: Insertable<Tables['user_groups']>): Promise<number> {
    const { insertId } = await db.insertInto('user_groups').values(row).executeTakeFirstOrThrow()
    return Number(insertId)
  },

  async change(db: Db | Tx, id: number, change: Partial<Omit<GroupRow, 'id'>>): Promise<void> {
    await db.updateTable('user_groups').set(change).where('id', '=', id).execute()
  },

  /** Counts the revision up. @returns false when it is not the present one any more */
  async takeRevision(tx: Tx, id: number, revision: number): Promise<boolean> {
    const update = tx.updateTable('user_groups').set({ revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },

  /** @throws what the database throws for a group that still has members */
  async remove(tx: Tx, id: number): Promise<void> {
    await tx.deleteFrom('user_groups').where('id', '=', id).execute()
  },

  /** The groups of a space that an account is a member of, by name. */
  membershipsOf: (db: Db | Tx, { userId, spaceId }: { userId: string; spaceId: number }): Promise<Membership[]> =>
    memberships(db)
      .where('group_members.user_id', '=', userId)
      .where('user_groups.space_id', '=', spaceId)
      .orderBy('user_groups.name_key')
      .execute(),

  /** @returns undefined for whoever is no member, and for a group of another space */
  membership: (
    db: Db | Tx,
    { userId, spaceId, groupId }: { userId: string; spaceId: number; groupId: number },
  ): Promise<Membership | undefined> =>
    memberships(db)
      .where('group_members.group_id', '=', groupId)
      .where('group_members.user_id', '=', userId)
      .where('user_groups.space_id', '=', spaceId)
      .executeTakeFirst(),

  /** Who is in a group, and who administers it. */
  rightsOf: (db: Db | Tx, groupId: number): Promise<ReadonlyArray<Pick<GroupMemberRow, 'user_id' | 'is_admin'>>> =>
    db.selectFrom('group_members').select(['user_id', 'is_admin']).where('group_id', '=', groupId).execute(),

  /** Members of a group, by account. */
  members: (db: Db | Tx, groupId: number): Promise<MemberOfGroup[]> =>
    db
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .select(['users.account', 'group_members.permission', 'group_members.is_admin'])
      .where('group_members.group_id', '=', groupId)
      .orderBy('users.account_key')
      .execute(),

  /** Members whose rights are narrowed by rules about paths. */
  ruledMembers: (tx: Tx, groupId: number): Promise<Array<Pick<UserRow, 'id' | 'file_rules'>>> =>
    tx
      .selectFrom('group_members')
      .innerJoin('users', 'users.id', 'group_members.user_id')
      .select(['users.id', 'users.file_rules'])
      .where('group_members.group_id', '=', groupId)
      .where('users.file_rules', 'is not', null)
      .execute(),

  /** Groups that an account is an administrator of. */
  async administeredBy(db: Db | Tx, userId: string): Promise<number[]> {
    const query = db.selectFrom('group_members').select('group_id').where('user_id', '=', userId)
    return (await query.where('is_admin', '=', 1).orderBy('group_id').execute()).map(({ group_id: id }) => id)
  },

  /** Names of the groups of several accounts, by name. */
  async namesOf(
    db: Db | Tx,
    userIds: readonly string[],
  ): Promise<Array<{ readonly userId: string; readonly id: number; readonly name: string }>> {
    if (userIds.length === 0) return []
    return db
      .selectFrom('group_members')
      .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
      .select(['group_members.user_id as userId', 'user_groups.id', 'user_groups.name'])
      .where('group_members.user_id', 'in', userIds)
      .orderBy('user_groups.name_key')
      .execute()
  },

  async hasMembers(db: Db | Tx, groupId: number): Promise<boolean> {
    const row = await db
      .selectFrom('group_members')
      .select('user_id')
      .where('group_id', '=', groupId)
      .executeTakeFirst()
    return row !== undefined
  },

  async addMember(tx: Tx, row: GroupMemberRow): Promise<void> {
    await tx.insertInto('group_members').values(row).execute()
  },

  /** @returns false when the account is no member */
  async changeMember(tx: Tx, { group_id, user_id, permission, is_admin }: GroupMemberRow): Promise<boolean> {
    const row = await tx
      .selectFrom('group_members')
      .select('user_id')
      .where('group_id', '=', group_id)
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    if (row === undefined) return false
    const update = tx.updateTable('group_members').set({ permission, is_admin }).where('group_id', '=', group_id)
    await update.where('user_id', '=', user_id).execute()
    return true
  },

  /** @returns false when the account was no member */
  async removeMember(db: Db | Tx, { groupId, userId }: { groupId: number; userId: string }): Promise<boolean> {
    const query = db.deleteFrom('group_members').where('group_id', '=', groupId).where('user_id', '=', userId)
    return (await query.executeTakeFirst()).numDeletedRows > 0n
  },
}

function memberships(db: Db | Tx) {
  return db
    .selectFrom('group_members')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .selectAll('user_groups')
    .select(['group_members.permission', 'group_members.is_admin'])
}

/** Accounts of a number of groups. */
export async function memberCounts(db: Db): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('group_members')
    .select(['group_id', sql<number>`count(*)`.as('members')])
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ group_id, members }) => [group_id, Number(members)]))
}
