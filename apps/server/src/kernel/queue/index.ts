export type { AnyJob, Job, JobKind, JobOf, NewJob } from './jobs.ts'
export { countFailedJobs, countJobs, listFailedJobs } from './queue.admin.ts'
export { countOpenJobs, jobStanding, openJobsOf } from './queue.store.ts'
export { createQueue, TryLater, type JobHandlers, type Queue, type Run } from './queue.ts'
