import { DEPARTMENT_LIMITS, type AdminDepartment, type DepartmentChange, type NewDepartment } from '@godwit/contract'
import { editConflict } from '../../foundation/operation-log/index.ts'
import {
  departmentsStore,
  heightOf,
  lineOf,
  type DepartmentRow,
  type ShownDepartment,
} from '../../identity/departments/index.ts'
import { foldCase, usersSearch, usersStore } from '../../identity/users/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'

export async function listDepartments(db: Db): Promise<AdminDepartment[]> {
  const [counts, rows] = await Promise.all([usersSearch.countByDepartment(db), departmentsStore.shown(db)])
  return rows.map((row) => present(row, counts.get(row.id) ?? 0))
}

/** @throws AppError DEPARTMENT_NOT_FOUND for the parent, DEPARTMENT_NAME_INVALID, DEPARTMENT_NAME_DUPLICATE */
export async function addDepartment(
  { db, clock }: ConsoleDeps,
  { record }: ConsoleCall,
  { name, parentId }: NewDepartment,
): Promise<AdminDepartment> {
  const columns = {
    ...namesOf(name),
    parent_id: parentId,
    source: 'local' as const,
    revision: 1,
    created_at: clock.now(),
  }
  const id = await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      await departmentsStore.hold(tx)
      await requireRoom(tx, { parentId, height: 1 })
      const added = await departmentsStore.insert(tx, columns)
      await record(tx, { kind: 'department', id: added, name, after: { name, parentId, revision: 1 } })
      return added
    }),
  )
  return present({ ...columns, id }, 0)
}

/**
 * Renames, or moves with all below.
 * @throws AppError DEPARTMENT_NOT_FOUND, DEPARTMENT_INTEGRATED, DEPARTMENT_CYCLE, EDIT_CONFLICT, and those of the name
 */
export async function editDepartment(
  { db }: ConsoleDeps,
  { record }: ConsoleCall,
  { id, change: { revision, name, parentId } }: { readonly id: number; readonly change: DepartmentChange },
): Promise<AdminDepartment> {
  const known = await requireLocal(db, id)
  const columns = {
    ...(name === undefined ? {} : namesOf(name)),
    ...(parentId === undefined ? {} : { parent_id: parentId }),
  }
  const isFirst = await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      if (parentId !== undefined) {
        await departmentsStore.hold(tx)
        await requireMovable(tx, id, parentId)
      }
      if (!(await departmentsStore.changeAt(tx, { id, revision }, columns))) return false
      const before = {
        ...(name === undefined ? {} : { name: known.name }),
        ...(parentId === undefined ? {} : { parentId: known.parent_id }),
        revision,
      }
      const after = {
        ...(name === undefined ? {} : { name }),
        ...(parentId === undefined ? {} : { parentId }),
        revision: revision + 1,
      }
      await record(tx, { kind: 'department', id, name: known.name, before, after })
      return true
    }),
  )
  const row = await requireLocal(db, id)
  if (!isFirst) throw await editConflict(db, { kind: 'department', id }, { from: revision, present: row.revision })
  return present(row, (await usersSearch.countByDepartment(db)).get(id) ?? 0)
}

/** @returns how many accounts were in it @throws AppError DEPARTMENT_NOT_FOUND, DEPARTMENT_INTEGRATED, DEPARTMENT_HAS_CHILDREN */
export async function removeDepartment({ db }: ConsoleDeps, { record }: ConsoleCall, id: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    await departmentsStore.hold(tx)
    const known = await requireLocal(tx, id)
    const isParent = (await departmentsStore.parents(tx)).some(({ parent_id: parentId }) => parentId === id)
    if (isParent) throw new AppError('DEPARTMENT_HAS_CHILDREN')
    const users = await usersStore.leaveDepartment(tx, id)
    await departmentsStore.remove(tx, id)
    const before = { name: known.name, parentId: known.parent_id, users }
    await record(tx, { kind: 'department', id, name: known.name, before })
    return users
  })
}

async function requireLocal(db: Db | Tx, id: number): Promise<DepartmentRow> {
  const row = await departmentsStore.byId(db, id)
  if (row === undefined) throw new AppError('DEPARTMENT_NOT_FOUND')
  if (row.source !== 'local') throw new AppError('DEPARTMENT_INTEGRATED')
  return row
}

async function requireMovable(tx: Tx, id: number, parentId: number): Promise<void> {
  const branches = await departmentsStore.parents(tx)
  if (lineOf(branches, parentId).includes(id)) throw new AppError('DEPARTMENT_CYCLE')
  await requireRoom(tx, { parentId, height: heightOf(branches, id) })
}

/** @param height levels that come below the parent */
async function requireRoom(tx: Tx, { parentId, height }: { parentId: number; height: number }): Promise<void> {
  if (parentId === 0) return
  const branches = await departmentsStore.parents(tx)
  if (!branches.some(({ id }) => id === parentId)) throw new AppError('DEPARTMENT_NOT_FOUND')
  if (lineOf(branches, parentId).length + height <= DEPARTMENT_LIMITS.depthMax) return
  throw new AppError('PARAMETER_INVALID', { field: 'parentId', rule: `at most ${DEPARTMENT_LIMITS.depthMax} levels` })
}

/** @throws AppError DEPARTMENT_NAME_INVALID */
function namesOf(wanted: string): Pick<DepartmentRow, 'name' | 'name_key'> {
  const name = wanted.normalize('NFC')
  if (/[/\p{Cc}\p{Cs}]/u.test(name)) throw new AppError('DEPARTMENT_NAME_INVALID')
  return { name, name_key: foldCase(name).slice(0, 255) }
}

function present(row: ShownDepartment, users: number): AdminDepartment {
  const { id, parent_id: parentId, name, source, revision } = row
  return { id, parentId, name, source, revision, users }
}

async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('DEPARTMENT_NAME_DUPLICATE', undefined, { cause: thrown })
    throw thrown
  }
}
