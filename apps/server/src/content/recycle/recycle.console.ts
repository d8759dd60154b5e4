import { adminRecycleRoutes } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import { loggedEndpoint, type OperationLogDeps, type RecordChange } from '../../foundation/operation-log/index.ts'
import { accountOf, loadJobPrincipal } from '../../identity/principals/index.ts'
import { foldCase } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { NewJob } from '../../kernel/queue/index.ts'
import { originOf } from '../file-events/index.ts'
import { NO_PROGRESS, presentJob, startFileJob } from '../files/index.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import { recycleSearch, type FoundItem } from './recycle.search.ts'

type Work = 'restore' | 'purge'

interface Outcome {
  readonly changed: number
  readonly failed: Array<{ readonly name: string; readonly code: number; readonly message: string }>
}

/** Everyone's recycle bin in the administrator's console. */
export function recycleEndpoints(deps: RecycleDeps, log: OperationLogDeps): Endpoint[] {
  const { db } = deps
  return [
    endpoint(adminRecycleRoutes.list, async (ctx, { query }) => {
      const { page, size, text = '', ...filter } = query
      const wanted = { ...filter, text: foldCase(text), onlyUserId: scopeOf(ctx) }
      return { ...(await recycleSearch.page(db, wanted, query)), page, size }
    }),
    loggedEndpoint(log, adminRecycleRoutes.restore, async (ctx, { body }, record) => {
      const items = await found(deps, ctx, body.recycleIds)
      await recordAll(deps, record, items)
      const [open, shut] = await byStateOfOwner(deps, items)
      const done = await runAll(deps, ctx, 'restore', open)
      const { wire: code } = new AppError('ACCOUNT_LOCKED')
      const message = errorText(ctx.locale, 'ACCOUNT_LOCKED', { byAdministrator: true })
      return { ...done, failed: [...done.failed, ...shut.map(({ name }) => ({ name, code, message }))] }
    }),
    loggedEndpoint(log, adminRecycleRoutes.clear, async (ctx, { body }, record) => {
      const items = await found(deps, ctx, body.recycleIds)
      await recordAll(deps, record, items)
      return runAll(deps, ctx, 'purge', items)
    }),
  ]
}

/** With the folder scope `own` an administrator sees their own items alone. */
function scopeOf({ principal }: UserCtx): string | undefined {
  return accountOf(principal).standing?.folderScope === 'all' ? undefined : principal.id
}

/** @throws AppError RECYCLE_ITEM_NOT_FOUND when none of them is within the caller's scope */
async function found({ db }: RecycleDeps, ctx: UserCtx, ids: readonly string[]): Promise<FoundItem[]> {
  const items = await recycleSearch.byIds(db, ids, scopeOf(ctx))
  if (items.length === 0) throw new AppError('RECYCLE_ITEM_NOT_FOUND')
  return items
}

async function recordAll({ db }: RecycleDeps, record: RecordChange, items: readonly FoundItem[]): Promise<void> {
  const things = items.map(({ recycleId, account, path }) => ({
    ...{ kind: 'recycle-item', id: recycleId, name: `${account}: ${path}` },
    before: { path },
  }))
  await inTransaction(db, (tx) => record(tx, ...things))
}

/** Files come back through the account of their owner: while it is locked or gone they stay where they are. */
async function byStateOfOwner(deps: RecycleDeps, items: readonly FoundItem[]): Promise<[FoundItem[], FoundItem[]]> {
  const open = new Set<string>()
  for (const userId of new Set(items.map((item) => item.userId))) {
    const clock = deps.files.clock
    const principal = await loadJobPrincipal({ db: deps.db, clock }, { id: '', ownerId: userId })
    if (principal !== undefined) open.add(userId)
  }
  return [items.filter(({ userId }) => open.has(userId)), items.filter(({ userId }) => !open.has(userId))]
}

/** One job for each owner and place. What does not end within the call goes on behind it. */
async function runAll(deps: RecycleDeps, ctx: UserCtx, work: Work, items: readonly FoundItem[]): Promise<Outcome> {
  const groups = Map.groupBy(items, ({ userId, spaceId, groupId }) => `${userId} ${spaceId} ${groupId}`)
  const jobs = await Promise.all([...groups.values()].map((some) => startFileJob(deps, jobFor(ctx, work, some))))
  const failed = jobs
    .flatMap((job) => presentJob(job, ctx.locale).failures)
    .map(({ path, code, message }) => ({ name: path, code, message }))
  return { changed: items.length - failed.length, failed }
}

function jobFor(ctx: UserCtx, kind: Work, items: readonly FoundItem[]): NewJob<Work> {
  const [{ userId: ownerId, spaceId, groupId } = { userId: '', spaceId: 0, groupId: 0 }] = items
  const payload = {
    ...{ spaceId, groupId, recycleIds: items.map(({ recycleId }) => recycleId) },
    ...{ conflict: 'keep-both' as const, isByAdministrator: true as const, origin: originOf(ctx) },
  }
  return { kind, ownerId, payload, progress: { ...NO_PROGRESS, totalFiles: items.length } }
}
