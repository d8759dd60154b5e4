export { FailedJobsPage } from './failed-jobs.page.tsx'
export { ParkedEventsPage } from './parked-events.page.tsx'
