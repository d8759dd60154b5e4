import { ClipboardList, Eye, LogIn } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./log-pages.ts'), 'operations')
const OperationsPage = lazyPart(pages, (module) => module.OperationsPage)
const PreviewsPage = lazyPart(pages, (module) => module.PreviewsPage)
const SignInsPage = lazyPart(pages, (module) => module.SignInsPage)

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/log/operations',
      title: 'log.operations',
      component: OperationsPage,
      right: 'log.view',
      menu: { section: 'records', icon: ClipboardList },
    },
    {
      path: '/admin/log/sign-ins',
      title: 'log.sign-ins',
      component: SignInsPage,
      right: 'log.view',
      menu: { section: 'records', icon: LogIn },
    },
    {
      path: '/admin/log/previews',
      title: 'log.previews',
      component: PreviewsPage,
      right: 'log.view',
      menu: { section: 'records', icon: Eye },
    },
  ],
}
