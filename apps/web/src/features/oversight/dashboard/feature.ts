import { ChartNoAxesColumn, Gauge, ListChecks, Power, Stethoscope } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./dashboard-pages.ts'))
const DashboardPage = lazyPart(pages, (module) => module.DashboardPage)
const operations = lazyModule(() => import('./operations-pages.ts'))
const FailedJobsPage = lazyPart(operations, (module) => module.FailedJobsPage)
const ParkedEventsPage = lazyPart(operations, (module) => module.ParkedEventsPage)
const DoctorPage = lazyPart(operations, (module) => module.DoctorPage)
const ServerPage = lazyPart(operations, (module) => module.ServerPage)
const MetricsPage = lazyPart(operations, (module) => module.MetricsPage)

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/dashboard',
      title: 'dashboard.title',
      component: DashboardPage,
      right: 'statistics.view',
      menu: { section: 'overview', icon: Gauge },
    },
    {
      path: '/admin/server',
      title: 'server.title',
      component: ServerPage,
      right: 'server.control',
      menu: { section: 'system', icon: Power },
    },
    {
      path: '/admin/doctor',
      title: 'doctor.title',
      component: DoctorPage,
      right: 'server.control',
      menu: { section: 'system', icon: Stethoscope },
    },
    {
      path: '/admin/jobs',
      title: 'failed-jobs.title',
      component: FailedJobsPage,
      right: 'server.control',
      menu: { section: 'system', icon: ListChecks },
    },
    {
      path: '/admin/metrics',
      title: 'metrics.title',
      component: MetricsPage,
      right: 'settings.edit',
      menu: { section: 'system', icon: ChartNoAxesColumn },
    },
    { path: '/admin/jobs/events', title: 'parked-events.title', component: ParkedEventsPage, right: 'server.control' },
  ],
}
