import type { FailedJob, ParkedEventRow } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First parts of the keys of the queries about what failed. */
export const JOBS = 'failed-jobs'
export const EVENTS = 'parked-events'

export const jobsSource: ListSource<FailedJob> = {
  key: JOBS,
  load: (api, { page, pageSize }, signal) =>
    api.call(routes.dashboard.failedJobs, { query: { page, size: pageSize } }, signal === undefined ? {} : { signal }),
}

export const eventsSource: ListSource<ParkedEventRow> = {
  key: EVENTS,
  load: (api, { page, pageSize }, signal) =>
    api.call(
      routes.dashboard.parkedEvents,
      { query: { page, size: pageSize } },
      signal === undefined ? {} : { signal },
    ),
}

/** As the contract bounds them. */
export const PER_CALL = 100
