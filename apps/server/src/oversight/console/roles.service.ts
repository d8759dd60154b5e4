import type { AdminRole, NewRole, RoleChange } from '@godwit/contract'
import { editConflict } from '../../foundation/operation-log/index.ts'
import { rightsOf, rolesStore, scopeOf, type RoleRow } from '../../identity/administrators/index.ts'
import { foldCase } from '../../identity/users/index.ts'
import { inTransaction, isDuplicate, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'

export async function listRoles(
  db: Db,
  { page, size, text = '' }: { page: number; size: number; text?: string | undefined },
) {
  const holders = await rolesStore.holders(db)
  const found = (await rolesStore.all(db)).filter(({ name_key: key }) => key.includes(foldCase(text)))
  const rows = found.slice((page - 1) * size, page * size).map((row) => present(row, holders))
  return { rows, total: found.length, page, size }
}

/** @throws AppError ROLE_NAME_DUPLICATE */
export async function addRole(
  { db, clock }: ConsoleDeps,
  { record }: ConsoleCall,
  wanted: NewRole,
): Promise<AdminRole> {
  const at = { created_at: clock.now(), updated_at: clock.now() }
  const row = { ...columnsOf(wanted), ...namesOf(wanted.name), revision: 1, ...at }
  const id = await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      const added = await rolesStore.insert(tx, row)
      await record(tx, { kind: 'role', id: added, name: wanted.name, after: { ...wanted, revision: 1 } })
      return added
    }),
  )
  return present({ ...row, id }, new Map())
}

/** @throws AppError ROLE_NOT_FOUND, ROLE_NAME_DUPLICATE, EDIT_CONFLICT */
export async function editRole(
  { db, clock }: ConsoleDeps,
  { record }: ConsoleCall,
  { id, change: { revision, ...change } }: { readonly id: number; readonly change: RoleChange },
): Promise<AdminRole> {
  const role = await requireRole(db, id)
  const held = present(role, new Map())
  const columns = {
    ...columnsOf({
      rights: held.rights,
      auditScope: held.auditScope,
      folderScope: held.folderScope,
      secondFactor: held.secondFactor,
      ...defined(change),
    }),
    ...(change.name === undefined ? {} : namesOf(change.name)),
    updated_at: clock.now(),
  }
  const isFirst = await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      if (!(await rolesStore.changeAt(tx, { id, revision }, columns))) return false
      const before = Object.fromEntries(Object.keys(change).map((name) => [name, held[name as keyof AdminRole]]))
      const states = { before: { ...before, revision }, after: { ...change, revision: revision + 1 } }
      await record(tx, { kind: 'role', id, name: role.name, ...states })
      return true
    }),
  )
  if (!isFirst) {
    const { revision: present_ } = await requireRole(db, id)
    throw await editConflict(db, { kind: 'role', id }, { from: revision, present: present_ })
  }
  return present(await requireRole(db, id), await rolesStore.holders(db))
}

/** @throws AppError ROLE_NOT_FOUND, ROLE_IN_USE */
export async function removeRole({ db }: ConsoleDeps, { record }: ConsoleCall, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const role = await rolesStore.byId(tx, id)
    if (role === undefined) throw new AppError('ROLE_NOT_FOUND')
    if (((await rolesStore.holders(tx)).get(id) ?? 0) > 0) throw new AppError('ROLE_IN_USE')
    await rolesStore.remove(tx, id)
    await record(tx, { kind: 'role', id, name: role.name, before: present(role, new Map()) })
  })
}

/** @throws AppError ROLE_NOT_FOUND */
export async function requireRole(db: Db, id: number): Promise<RoleRow> {
  const role = await rolesStore.byId(db, id)
  if (role === undefined) throw new AppError('ROLE_NOT_FOUND')
  return role
}

function defined<T extends object>(change: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never
}

function columnsOf({ rights, auditScope, folderScope, secondFactor }: Omit<NewRole, 'name'>) {
  const scopes = { audit_scope: auditScope, folder_scope: folderScope }
  return { rights: JSON.stringify([...new Set(rights)]), ...scopes, second_factor: secondFactor ? 1 : 0 }
}

function namesOf(name: string): Pick<RoleRow, 'name' | 'name_key'> {
  return { name, name_key: foldCase(name) }
}

function present(row: RoleRow, holders: ReadonlyMap<number, number>): AdminRole {
  return {
    ...{ id: row.id, name: row.name, rights: rightsOf(row) },
    ...{ auditScope: scopeOf(row.audit_scope), folderScope: scopeOf(row.folder_scope) },
    secondFactor: row.second_factor === 1,
    administrators: holders.get(row.id) ?? 0,
    ...{ createdAt: row.created_at, updatedAt: row.updated_at, revision: row.revision },
  }
}

async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('ROLE_NAME_DUPLICATE', undefined, { cause: thrown })
    throw thrown
  }
}
