import type { AdminSession, OperationLogEntry, OperationLogFilter, SignInLogEntry } from '@godwit/contract'
import { operationLogStore, type OperationRow } from '../../foundation/operation-log/index.ts'
import { administratorsStore } from '../../identity/administrators/index.ts'
import { previewLog } from '../../content/preview-log/index.ts'
import { signInLog, sessionsSearch, type Sessions } from '../../identity/auth/index.ts'
import { accountOf, sessionIdOf } from '../../identity/principals/index.ts'
import { foldCase, usersSearch } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConsoleCall, ConsoleDeps } from './console.types.ts'
import { requireEditable } from './user-rights.policy.ts'
import { editorOf } from './users.service.ts'
import { standingOf } from './users.present.ts'

interface Window {
  readonly page: number
  readonly size: number
}

/** What the caller may see of the log: with the scope `own`, their own acts. */
export function withinScope<Filter extends { readonly actorId?: string | undefined }>(
  ctx: UserCtx,
  filter: Filter,
): Filter & { readonly onlyActorId: string | undefined } {
  return { ...filter, onlyActorId: isOverall(ctx) ? undefined : ctx.principal.id }
}

export async function listOperations({ db }: ConsoleDeps, ctx: UserCtx, query: OperationLogFilter & Window) {
  const { rows, total } = await operationLogStore.page(db, withinScope(ctx, query), query)
  return { rows: rows.map(presentOperation), total, page: query.page, size: query.size }
}

interface SignInsQuery extends Window {
  readonly text?: string | undefined
  readonly userId?: string | undefined
  readonly result?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export async function listSignIns({ db }: ConsoleDeps, ctx: UserCtx, query: SignInsQuery) {
  const onlyUserId = isOverall(ctx) ? undefined : ctx.principal.id
  const { rows, total } = await signInLog(db, { ...query, text: foldCase(query.text ?? ''), onlyUserId }, query)
  return { rows: rows satisfies SignInLogEntry[], total, page: query.page, size: query.size }
}

export async function listPreviews(deps: ConsoleDeps, ctx: UserCtx, query: SignInsQuery) {
  const onlyUserId = isOverall(ctx) ? undefined : ctx.principal.id
  const { rows, total } = await previewLog(deps, { ...query, text: foldCase(query.text ?? ''), onlyUserId }, query)
  return { rows, total, page: query.page, size: query.size }
}

export async function listSessions(
  { db, clock, idleMs }: ConsoleDeps,
  ctx: UserCtx,
  query: Window & { readonly text?: string | undefined; readonly userId?: string | undefined },
) {
  const filter = { text: foldCase(query.text ?? ''), userId: query.userId, seenSince: clock.now() - idleMs }
  const { rows, total } = await sessionsSearch.page(db, filter, query)
  const own = sessionIdOf(ctx.principal)
  const shown = rows.map((row): AdminSession => ({ ...row, current: row.id === own }))
  return { rows: shown, total, page: query.page, size: query.size }
}

/** @throws AppError SESSION_NOT_FOUND when none of them is open; PERMISSION_DENIED for one of an administrator above */
export async function endSessions(
  { db, sessions }: ConsoleDeps & { readonly sessions: Pick<Sessions, 'end'> },
  { ctx, record }: ConsoleCall,
  ids: readonly string[],
): Promise<number> {
  const found = await sessionsSearch.byIds(db, ids)
  if (found.length === 0) throw new AppError('SESSION_NOT_FOUND')
  const userIds = [...new Set(found.map(({ userId }) => userId))]
  const administrators = await administratorsStore.among(db, userIds)
  for (const user of await usersSearch.byIds(db, userIds)) {
    if (user.id === ctx.principal.id) continue
    requireEditable(editorOf(ctx), { id: user.id, standing: standingOf(user, administrators) })
  }
  await inTransaction(db, (tx) =>
    record(
      tx,
      ...found.map(({ userId, account, address }) => ({
        ...{ kind: 'user', id: userId, name: account },
        before: { address },
      })),
    ),
  )
  for (const { id, userId } of found) await sessions.end(id, userId, 'revoked')
  return found.length
}

function isOverall({ principal }: UserCtx): boolean {
  return accountOf(principal).standing?.auditScope === 'all'
}

export function presentOperation(row: OperationRow): OperationLogEntry {
  return {
    ...{ seq: Number(row.seq), at: Number(row.at), actorId: row.actor_id, actor: row.actor, door: row.door },
    ...{ address: row.address, userAgent: row.user_agent, requestId: row.request_id, operation: row.operation },
    ...{ targetKind: row.target_kind, targetId: row.target_id, target: row.target, result: row.result },
    ...{ before: stateOf(row.state_before), after: stateOf(row.state_after) },
  }
}

function stateOf(json: string): OperationLogEntry['before'] {
  return json === '' ? null : (JSON.parse(json) as Record<string, unknown>)
}
