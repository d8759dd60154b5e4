import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Need } from '../access/index.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import type { RecycleRow } from './recycle.schema.ts'
import { recycleStore } from './recycle.store.ts'

/**
 * Items of the caller's bin, each opened for what is to be done with it.
 * @throws AppError RECYCLE_ITEM_NOT_FOUND when one of them is not there or hidden, PERMISSION_DENIED
 */
export async function requireItems(
  deps: Pick<RecycleDeps, 'db' | 'files'>,
  ctx: UserCtx,
  { ids, need }: { readonly ids: readonly string[]; readonly need: Need },
): Promise<RecycleRow[]> {
  const rows = await recycleStore.byIds(deps.db, ctx.principal.id, ids)
  if (rows.length !== new Set(ids).size) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  for (const { id } of rows) await requireItem(deps, ctx, { id, need })
  return rows
}

/** @throws AppError RECYCLE_ITEM_NOT_FOUND, PERMISSION_DENIED */
export async function requireItem(
  { files }: Pick<RecycleDeps, 'files'>,
  ctx: Pick<UserCtx, 'principal'>,
  { id, need }: { readonly id: string; readonly need: Need },
): Promise<void> {
  try {
    await files.access.open(ctx, { kind: 'recycle', recycleId: id }, '/', need)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') throw new AppError('RECYCLE_ITEM_NOT_FOUND')
    throw thrown
  }
}
