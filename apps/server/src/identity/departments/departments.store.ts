import type { Insertable } from 'kysely'
import { dialectOf, type Db, type Tables, type Tx } from '../../kernel/db/index.ts'
import type { DepartmentRow } from './departments.schema.ts'

/** What people see of a department. */
export type ShownDepartment = Pick<DepartmentRow, 'id' | 'parent_id' | 'name' | 'source' | 'revision'>

/** The only SQL over departments. */
export const departmentsStore = {
  all: (db: Db | Tx): Promise<DepartmentRow[]> => db.selectFrom('departments').selectAll().execute(),
  shown: (db: Db | Tx): Promise<ShownDepartment[]> =>
    db.selectFrom('departments').select(['id', 'parent_id', 'name', 'source', 'revision']).execute(),
  byId: (db: Db | Tx, id: number): Promise<DepartmentRow | undefined> =>
    db.selectFrom('departments').selectAll().where('id', '=', id).executeTakeFirst(),
  async names(db: Db | Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('departments').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
  /** Which departments stand directly below which, without the rest of each row. */
  parents: (db: Db | Tx): Promise<Array<Pick<DepartmentRow, 'id' | 'parent_id'>>> =>
    db.selectFrom('departments').select(['id', 'parent_id']).execute(),
  /**
   * Nobody else moves, adds or removes one until the transaction ends. Its first statement, so that whatever it reads is of afterwards.
   * SQLite has one writer at a time.
   */
  async hold(tx: Tx): Promise<void> {
    if (dialectOf(tx) === 'mysql') await tx.selectFrom('departments').select('id').forUpdate().execute()
  },
  async insert(tx: Tx, row: Insertable<Tables['departments']>): Promise<number> {
    return Number((await tx.insertInto('departments').values(row).executeTakeFirstOrThrow()).insertId)
  },
  /** @returns false when somebody was first */
  async changeAt(tx: Tx, { id, revision }: { id: number; revision: number }, change: Partial<DepartmentRow>) {
    const update = tx.updateTable('departments').set({ ...change, revision: revision + 1 })
    const result = await update.where('id', '=', id).where('revision', '=', revision).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async remove(tx: Tx, id: number): Promise<void> {
    await tx.deleteFrom('departments').where('id', '=', id).execute()
  },
}
