import type { Insertable } from 'kysely'
import type { Db, Tables, Tx } from '../../kernel/db/index.ts'
import type { AdministratorRow, RoleRow } from './administrators.schema.ts'

interface Window {
  readonly page: number
  readonly size: number
}

/** The only SQL over roles and who has them. */
export const administratorsStore = {
  /** @returns undefined for whoever is no administrator by role */
  roleOf: (db: Db | Tx, userId: string): Promise<RoleRow | undefined> =>
    db
      .selectFrom('administrators')
      .innerJoin('roles', 'roles.id', 'administrators.role_id')
      .selectAll('roles')
      .where('administrators.user_id', '=', userId)
      .executeTakeFirst(),
  /** Which of these accounts are administrators by role. */
  async among(db: Db | Tx, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set()
    const rows = await db.selectFrom('administrators').select('user_id').where('user_id', 'in', userIds).execute()
    return new Set(rows.map(({ user_id: userId }) => userId))
  },
  byId: (db: Db | Tx, userId: string): Promise<AdministratorRow | undefined> =>
    db.selectFrom('administrators').selectAll().where('user_id', '=', userId).executeTakeFirst(),
  /** The super administrator first, then by account. @param text folded */
  list: (db: Db, text: string, { page, size }: Window) =>
    listed(db, text)
      .leftJoin('roles', 'roles.id', 'administrators.role_id')
      .select(['users.id', 'users.account', 'users.name', 'users.email', 'users.is_super', 'users.locked'])
      .select(['users.created_at as accountCreatedAt', 'roles.id as roleId', 'roles.name as role'])
      .select(['administrators.created_by', 'administrators.created_at', 'administrators.updated_at'])
      .select(['administrators.revision'])
      .orderBy('users.is_super', 'desc')
      .orderBy('users.account_key')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
  async count(db: Db, text: string): Promise<number> {
    const row = await listed(db, text)
      .select((select) => select.fn.countAll<number>().as('n'))
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  },
  async insert(tx: Tx, row: AdministratorRow): Promise<void> {
    await tx.insertInto('administrators').values(row).execute()
  },
  /** @returns false when somebody was first */
  async changeAt(
    tx: Tx,
    { userId, revision }: { userId: string; revision: number },
    change: Partial<AdministratorRow>,
  ) {
    const update = tx.updateTable('administrators').set({ ...change, revision: revision + 1 })
    const result = await update.where('user_id', '=', userId).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async remove(tx: Tx, userId: string): Promise<void> {
    await tx.deleteFrom('administrators').where('user_id', '=', userId).execute()
  },
}

/** Administrators are few: every one of them has `is_admin` or is in the table. */
function listed(db: Db, text: string) {
  return db
    .selectFrom('users')
    .leftJoin('administrators', 'administrators.user_id', 'users.id')
    .where((where) => where.or([where('users.is_super', '=', 1), where('administrators.user_id', 'is not', null)]))
    .$if(text !== '', (query) =>
      query.where((where) =>
        where.or([where('users.account_key', 'like', `%${text}%`), where('users.email_key', 'like', `%${text}%`)]),
      ),
    )
}

export const rolesStore = {
  byId: (db: Db | Tx, id: number): Promise<RoleRow | undefined> =>
    db.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst(),
  /** By name; roles are few, so the text is looked for in memory. */
  all: (db: Db): Promise<RoleRow[]> => db.selectFrom('roles').selectAll().orderBy('name_key').execute(),
  async holders(db: Db | Tx): Promise<ReadonlyMap<number, number>> {
    const rows = await db
      .selectFrom('administrators')
      .select(['role_id', (select) => select.fn.countAll<number>().as('n')])
      .groupBy('role_id')
      .execute()
    return new Map(rows.map(({ role_id: id, n }) => [id, Number(n)]))
  },
  async insert(tx: Tx, row: Insertable<Tables['roles']>): Promise<number> {
    return Number((await tx.insertInto('roles').values(row).executeTakeFirstOrThrow()).insertId)
  },
  /** @returns false when somebody was first */
  async changeAt(tx: Tx, { id, revision }: { id: number; revision: number }, change: Partial<RoleRow>) {
    const update = tx.updateTable('roles').set({ ...change, revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async remove(tx: Tx, id: number): Promise<void> {
    await tx.deleteFrom('roles').where('id', '=', id).execute()
  },
}
