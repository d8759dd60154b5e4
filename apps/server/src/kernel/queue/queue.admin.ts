import type { Db } from '../db/index.ts'
import type { JobRow } from './queue.schema.ts'

/** A job that ended without having done its work, for operators; never what it was to do. */
type FailedJobRow = Pick<JobRow, 'id' | 'kind' | 'owner_id' | 'attempts' | 'error' | 'created_at' | 'updated_at'>

/** The newest failure first. */
export function listFailedJobs(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<FailedJobRow[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind', 'owner_id', 'attempts', 'error', 'created_at', 'updated_at'])
    .where('state', '=', 'failed')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** @param since Unix milliseconds; counts those that failed from then on */
export async function countFailedJobs(
  db: Db,
  { kind, since = 0 }: { readonly kind?: string; readonly since?: number } = {},
): Promise<number> {
  let query = db.selectFrom('jobs').select((select) => select.fn.countAll<number>().as('n'))
  query = query.where('state', '=', 'failed').where('updated_at', '>=', since)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  return Number((await query.executeTakeFirstOrThrow()).n)
}

/** Jobs that wait, run or failed. */
export async function countJobs(db: Db): Promise<Readonly<Record<'queued' | 'running' | 'failed', number>>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['state', (select) => select.fn.countAll<number>().as('n')])
    .where('state', 'in', ['queued', 'running', 'failed'])
    .groupBy('state')
    .execute()
  const counts = { queued: 0, running: 0, failed: 0 }
  return { ...counts, ...Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)])) }
}
