import { dialectOf, type Db, type Tx } from '../../kernel/db/index.ts'
import type { UserRow } from './users.schema.ts'

/** The only SQL over `users`. */
export interface UsersStore {
  insert(db: Db | Tx, row: UserRow): Promise<void>
  byId(db: Db | Tx, id: string): Promise<UserRow | undefined>
  /** @param key a folded account or e-mail */
  byAccountOrEmail(db: Db | Tx, key: string): Promise<UserRow | undefined>
  list(db: Db | Tx): Promise<UserRow[]>
  /**
   * These accounts as they are now; nobody else changes them, or makes one an administrator, until the transaction ends. Its first
   * statement, so that whatever it reads is of afterwards. SQLite has one writer at a time.
   */
  hold(tx: Tx, ids: readonly string[]): Promise<UserRow[]>
  update(db: Db | Tx, id: string, change: Partial<Omit<UserRow, 'id'>>): Promise<boolean>
  /** @returns false when the account has another password than it was read with, or is gone */
  replacePassword(tx: Tx, user: Pick<UserRow, 'id' | 'password_hash'>, passwordHash: string): Promise<boolean>
  /** Changes an account that still has this revision, and counts it up. @returns false when somebody was first */
  updateAt(tx: Tx, id: string, revision: number, change: Partial<Omit<UserRow, 'id'>>): Promise<boolean>
  /** Changes several accounts alike and counts their revisions up. */
  updateMany(tx: Tx, ids: readonly string[], change: Partial<Omit<UserRow, 'id'>>): Promise<void>
  /** Everyone in a department has none from then on. @returns how many had been in it */
  leaveDepartment(tx: Tx, departmentId: number): Promise<number>
  /** Deletes the row and retires its home. Call within a transaction. */
  remove(db: Db | Tx, user: UserRow): Promise<boolean>
  isRetiredHome(db: Db | Tx, home: string): Promise<boolean>
  count(db: Db | Tx): Promise<number>
  /** Accounts besides the super administrator. In a transaction nobody else adds one until it ends. */
  countLimited(db: Db | Tx): Promise<number>
}

/** SQLite allows 32,766 bound values in a statement. */
const IDS_PER_STATEMENT = 1000

export const usersStore: UsersStore = {
  async insert(db, row) {
    await db.insertInto('users').values(row).execute()
  },
  byId: (db, id) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
  byAccountOrEmail: (db, key) =>
    db
      .selectFrom('users')
      .selectAll()
      .where((where) => where.or([where('account_key', '=', key), where('email_key', '=', key)]))
      // An account named like somebody's e-mail cannot exist (no @ in accounts), so at most one row matches.
      .executeTakeFirst(),
  list: (db) => db.selectFrom('users').selectAll().orderBy('account_key').execute(),
  async hold(tx, ids) {
    const held: UserRow[] = []
    // In one order, so that two who hold some of the same wait for each other only one way.
    const ordered = ids.toSorted()
    for (let at = 0; at < ordered.length; at += IDS_PER_STATEMENT) {
      const rows = tx
        .selectFrom('users')
        .selectAll()
        .where('id', 'in', ordered.slice(at, at + IDS_PER_STATEMENT))
        .orderBy('id')
        .$if(dialectOf(tx) === 'mysql', (query) => query.forUpdate())
      held.push(...(await rows.execute()))
    }
    return held
  },
  async update(db, id, change) {
    const result = await db.updateTable('users').set(change).where('id', '=', id).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async replacePassword(tx, { id, password_hash: before }, passwordHash) {
    const update = tx.updateTable('users').set({ password_hash: passwordHash, must_reset: 0 })
    const result = await update.where('id', '=', id).where('password_hash', '=', before).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async updateAt(tx, id, revision, change) {
    const update = tx.updateTable('users').set({ ...change, revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async updateMany(tx, ids, change) {
    for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
      await tx
        .updateTable('users')
        .set((value) => ({ ...change, revision: value('revision', '+', 1) }))
        .where('id', 'in', ids.slice(at, at + IDS_PER_STATEMENT))
        .execute()
    }
  },
  async leaveDepartment(tx, departmentId) {
    const update = tx.updateTable('users').set({ department_id: null }).where('department_id', '=', departmentId)
    return Number((await update.executeTakeFirst()).numUpdatedRows)
  },
  async remove(db, user) {
    const result = await db.deleteFrom('users').where('id', '=', user.id).executeTakeFirst()
    if (result.numDeletedRows === 0n) return false
    await db.insertInto('retired_homes').values({ home: user.home }).execute()
    return true
  },
  async isRetiredHome(db, home) {
    return (
      (await db.selectFrom('retired_homes').select('home').where('home', '=', home).executeTakeFirst()) !== undefined
    )
  },
  async countLimited(db) {
    const query = db.selectFrom('users').select('id').where('is_super', '=', 0)
    // What was committed meanwhile counts, and the gap for the next one is locked. SQLite has one writer at a time.
    const isLocking = db.isTransaction && dialectOf(db) === 'mysql'
    return (await (isLocking ? query.forUpdate() : query).execute()).length
  },
  async count(db) {
    const row = await db
      .selectFrom('users')
      .select((select) => select.fn.countAll<number>().as('n'))
      .executeTakeFirst()
    return row?.n ?? 0
  },
}
