import { decodePassword, type Administrator } from '@godwit/contract'
import { editConflict } from '../../foundation/operation-log/index.ts'
import { administratorsStore } from '../../identity/administrators/index.ts'
import { provePassword, type AuthDeps } from '../../identity/auth/index.ts'
import {
  foldCase,
  isUsable,
  requireOwnPassword,
  usersSearch,
  usersStore,
  type UserRow,
} from '../../identity/users/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'
import { requireRole } from './roles.service.ts'

export interface AdministratorsDeps extends ConsoleDeps {
  readonly auth: AuthDeps
}

export async function listAdministrators(
  { db, clock, idleMs }: ConsoleDeps,
  { page, size, text = '' }: { page: number; size: number; text?: string | undefined },
) {
  const found = await administratorsStore.list(db, foldCase(text), { page, size })
  const online = await usersSearch.online(
    db,
    found.map(({ id }) => id),
    clock.now() - idleMs,
  )
  const rows = found.map((row): Administrator => ({
    ...{ id: row.id, account: row.account, name: row.name, email: row.email },
    standing: row.is_super === 1 ? 'super' : 'role',
    role: row.roleId === null || row.role === null ? null : { id: row.roleId, name: row.role },
    ...{ online: online.has(row.id), locked: row.locked === 1, createdBy: row.created_by ?? '' },
    createdAt: row.created_at ?? row.accountCreatedAt,
    updatedAt: row.updated_at ?? row.accountCreatedAt,
    revision: row.revision ?? 1,
  }))
  return { rows, total: await administratorsStore.count(db, foldCase(text)), page, size }
}

/** @throws AppError ACCOUNT_NOT_FOUND, ROLE_NOT_FOUND, ADMIN_EXISTS */
export async function appointAdministrator(
  deps: ConsoleDeps,
  { ctx, record }: ConsoleCall,
  { userId, roleId }: { readonly userId: string; readonly roleId: number },
): Promise<void> {
  const role = await requireRole(deps.db, roleId)
  await inTransaction(deps.db, async (tx) => {
    const user = await requireUser(tx, userId)
    if (user.is_super === 1 || (await administratorsStore.byId(tx, userId)) !== undefined)
      throw new AppError('ADMIN_EXISTS')
    await appoint(deps, tx, { user, roleId, by: ctx.principal.account.account })
    const after = { role: role.name, roleId, revision: 1 }
    await record(tx, { kind: 'administrator', id: userId, name: user.account, after })
  })
}

/** @throws AppError ADMIN_NOT_FOUND, ROLE_NOT_FOUND, EDIT_CONFLICT */
export async function changeRole(
  { db, clock }: ConsoleDeps,
  { record }: ConsoleCall,
  { userId, roleId, revision }: { readonly userId: string; readonly roleId: number; readonly revision: number },
): Promise<void> {
  const role = await requireRole(db, roleId)
  const known = await administratorsStore.byId(db, userId)
  if (known === undefined) throw new AppError('ADMIN_NOT_FOUND')
  const isFirst = await inTransaction(db, async (tx) => {
    const change = { role_id: roleId, updated_at: clock.now() }
    if (!(await administratorsStore.changeAt(tx, { userId, revision }, change))) return false
    const { account } = await requireUser(tx, userId)
    const states = {
      before: { roleId: known.role_id, revision },
      after: { role: role.name, roleId, revision: revision + 1 },
    }
    await record(tx, { kind: 'administrator', id: userId, name: account, ...states })
    return true
  })
  if (!isFirst)
    throw await editConflict(db, { kind: 'administrator', id: userId }, { from: revision, present: known.revision })
}

/** @throws AppError ADMIN_NOT_FOUND; LAST_ADMIN for the super administrator, who is the one that always exists */
export async function removeAdministrator({ db }: ConsoleDeps, { record }: ConsoleCall, userId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await usersStore.byId(tx, userId)
    if (user?.is_super === 1) throw new AppError('LAST_ADMIN')
    const known = await administratorsStore.byId(tx, userId)
    if (user === undefined || known === undefined) throw new AppError('ADMIN_NOT_FOUND')
    await administratorsStore.remove(tx, userId)
    await usersStore.update(tx, userId, { is_admin: 0 })
    await record(tx, { kind: 'administrator', id: userId, name: user.account, before: { roleId: known.role_id } })
  })
}

/**
 * Hands the one super administrator's place to another account, in one step, so that there is always exactly one, and one that can sign
 * in: an account that has yet to begin or has ended is none for this, and an end that was set for it does not hold any more.
 * @throws AppError ACCOUNT_NOT_FOUND, ACCOUNT_MANAGED_ELSEWHERE, ROLE_NOT_FOUND, OLD_PASSWORD_WRONG, ACCOUNT_LOCKED
 */
export async function transferSuper(
  deps: AdministratorsDeps,
  { ctx, record }: ConsoleCall,
  wanted: { readonly userId: string; readonly password: string; readonly roleId?: number | undefined },
): Promise<void> {
  const { db, auth } = deps
  const own = await requireUser(db, ctx.principal.id)
  if (decodePassword(wanted.password) === undefined) throw new AppError('PARAMETER_INVALID', { field: 'password' })
  await provePassword(auth, ctx, { user: own, password: wanted.password })
  if (wanted.roleId !== undefined) await requireRole(db, wanted.roleId)
  await inTransaction(db, async (tx) => {
    const [from, to] = [await requireUser(tx, own.id), await requireUser(tx, wanted.userId)]
    if (from.is_super !== 1) throw new AppError('SUPER_ADMIN_ONLY')
    if (to.id === from.id || !isUsable(to, deps.clock.now())) throw new AppError('ACCOUNT_NOT_FOUND')
    // Whoever owns everything gets in whatever becomes of a directory.
    requireOwnPassword(to)
    await administratorsStore.remove(tx, to.id)
    await usersStore.update(tx, from.id, { is_super: 0, is_admin: 0 })
    await usersStore.update(tx, to.id, { is_super: 1, is_admin: 1, valid_until: null })
    if (wanted.roleId !== undefined) await appoint(deps, tx, { user: from, roleId: wanted.roleId, by: to.account })
    const end = to.valid_until === null ? [{}, {}] : [{ validUntil: Number(to.valid_until) }, { validUntil: null }]
    const states = { before: { super: from.account, ...end[0] }, after: { super: to.account, ...end[1] } }
    await record(tx, { kind: 'administrator', id: to.id, name: to.account, ...states })
  })
}

async function appoint(
  { clock }: ConsoleDeps,
  tx: Tx,
  { user, roleId, by }: { readonly user: UserRow; readonly roleId: number; readonly by: string },
): Promise<void> {
  const at = { created_at: clock.now(), updated_at: clock.now() }
  await administratorsStore.insert(tx, { user_id: user.id, role_id: roleId, created_by: by, revision: 1, ...at })
  await usersStore.update(tx, user.id, { is_admin: 1 })
}

async function requireUser(db: Db | Tx, id: string): Promise<UserRow> {
  const user = await usersStore.byId(db, id)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}
