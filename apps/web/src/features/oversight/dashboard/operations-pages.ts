export { FailedJobsPage } from './failed-jobs.page.tsx'
export { MetricsPage } from './metrics.page.tsx'
export { ServerPage } from './server.page.tsx'
export { ParkedEventsPage } from './parked-events.page.tsx'
