import { adminTransferRoutes, type AdminTransfer } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps, type RecordChange } from '../../foundation/operation-log/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { foldCase } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { controlTransfer, limitsOf, limitTransfer, type ControlDeps } from './transfer-control.ts'
import { transfersSearch } from './transfers.search.ts'
import { transfersStore } from './transfers.store.ts'

/** Everyone's transfers in the administrator's console. */
export function consoleEndpoints(deps: ControlDeps, log: OperationLogDeps): Endpoint[] {
  const { db } = deps
  return [
    endpoint(adminTransferRoutes.list, async (ctx, { query }) => {
      const { page, size, text = '', view, ...filter } = query
      const wanted = { ...filter, text: foldCase(text), isLive: view === 'live', onlyUserId: scopeOf(ctx) }
      return { ...(await transfersSearch.page(db, wanted, query)), page, size }
    }),
    endpoint(adminTransferRoutes.get, async (ctx, { params: { transferId } }) => {
      const [transfer] = await found(deps, ctx, [transferId])
      return { transfer, files: await transfersStore.files(db, transferId) }
    }),
    loggedEndpoint(log, adminTransferRoutes.control, async (ctx, { body: { transferIds, action } }, record) => {
      const transfers = await found(deps, ctx, transferIds)
      await recordAll(deps, record, transfers, () => ({ after: { action } }))
      for (const { transferId } of transfers) {
        const row = await transfersStore.byId(db, transferId)
        if (row !== undefined) await controlTransfer(deps, row, action)
      }
      return { changed: transfers.length }
    }),
    loggedEndpoint(log, adminTransferRoutes.limit, async (ctx, { body }, record) => {
      const { transferIds, ...wanted } = body
      const limits = limitsOf(deps, wanted)
      const transfers = await found(deps, ctx, transferIds)
      await recordAll(deps, record, transfers, (transfer) => ({
        before: { ceilingMbps: transfer.ceilingMbps, priority: transfer.priority, deadline: transfer.deadline },
        after: {
          ceilingMbps: wanted.ceilingMbps ?? transfer.ceilingMbps,
          priority: wanted.priority ?? transfer.priority,
          deadline: wanted.deadline === undefined ? transfer.deadline : wanted.deadline,
        },
      }))
      for (const { transferId } of transfers) await limitTransfer(deps, transferId, limits)
      return { changed: transfers.length }
    }),
  ]
}

/** With the audit scope `own` an administrator sees their own transfers alone. */
function scopeOf({ principal }: UserCtx): string | undefined {
  return accountOf(principal).standing?.auditScope === 'all' ? undefined : principal.id
}

/** @throws AppError TRANSFER_NOT_FOUND when none of them is within the caller's scope */
async function found(
  { db }: ControlDeps,
  ctx: UserCtx,
  ids: readonly string[],
): Promise<[AdminTransfer, ...AdminTransfer[]]> {
  const [first, ...more] = await transfersSearch.byIds(db, ids, scopeOf(ctx))
  if (first === undefined) throw new AppError('TRANSFER_NOT_FOUND')
  return [first, ...more]
}

type States = { readonly before?: Record<string, unknown>; readonly after: Record<string, unknown> }

async function recordAll(
  { db }: ControlDeps,
  record: RecordChange,
  transfers: readonly AdminTransfer[],
  statesOf: (transfer: AdminTransfer) => States,
): Promise<void> {
  await inTransaction(db, (tx) =>
    record(
      tx,
      ...transfers.map((transfer) => ({
        ...{ kind: 'transfer', id: transfer.transferId, name: `${transfer.account}: ${transfer.name}` },
        ...statesOf(transfer),
      })),
    ),
  )
}
