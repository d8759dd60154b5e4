import { ERRORS, type ErrorName, type FailedJob, type ParkedEventRow } from '@godwit/contract'
import { errorText, type Locale } from '@godwit/i18n'
import { usersSearch } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { listParked, retryParked } from '../../kernel/events/index.ts'
import { countFailedJobs, listFailedJobs, type Queue } from '../../kernel/queue/index.ts'

export interface OperationsDeps {
  readonly db: Db
  readonly queue: Pick<Queue, 'rerun' | 'byId'>
}

interface Page {
  readonly page: number
  readonly size: number
}

interface PageOf<Row> extends Page {
  readonly rows: Row[]
  readonly total: number
}

export async function failedJobsPage({ db }: OperationsDeps, locale: Locale, page: Page): Promise<PageOf<FailedJob>> {
  const jobs = await listFailedJobs(db, { limit: page.size, offset: (page.page - 1) * page.size })
  const owners = await usersSearch.byIds(db, [...new Set(jobs.map((job) => job.owner_id))])
  const accounts = new Map(owners.map(({ id, account }) => [id, account]))
  const rows = jobs.map((job) => ({
    ...{ id: job.id, kind: job.kind, owner: accounts.get(job.owner_id) ?? '', attempts: job.attempts },
    ...{ error: job.error, message: isErrorName(job.error) ? errorText(locale, job.error) : '' },
    ...{ createdAt: job.created_at, failedAt: job.updated_at },
  }))
  return { rows, total: await countFailedJobs(db), ...page }
}

/** An older program may have written a name that is gone. */
function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name)
}

/** @returns how many run again; those that run already, or are gone, are left as they are */
export async function rerunJobs({ queue }: OperationsDeps, jobIds: readonly string[]): Promise<number> {
  let count = 0
  for (const id of new Set(jobIds)) if ((await queue.byId(id))?.state === 'failed' && (await queue.rerun(id))) count++
  return count
}

/** Never what an event carries: it may be anybody's path or address. */
export async function parkedEventsPage({ db }: OperationsDeps, page: Page): Promise<PageOf<ParkedEventRow>> {
  const all = await listParked(db)
  const rows = all.slice((page.page - 1) * page.size, page.page * page.size).map((event) => ({
    ...{ subscriber: event.subscriber, position: event.position, type: event.type, reason: event.error },
    ...{ attempts: event.attempts, createdAt: event.createdAt, parkedAt: event.parkedAt },
  }))
  return { rows, total: all.length, ...page }
}

/** @returns how many will be delivered again */
export async function retryEvents(
  { db }: OperationsDeps,
  events: ReadonlyArray<{ readonly subscriber: string; readonly position: number }>,
): Promise<number> {
  let count = 0
  for (const event of events) count += await retryParked(db, event)
  return count
}
