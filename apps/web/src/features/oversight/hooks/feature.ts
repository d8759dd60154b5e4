import { Webhook } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./hook-pages.ts'), 'hooks')

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/hooks',
      title: 'hooks.title',
      component: lazyPart(pages, (module) => module.HooksPage),
      right: 'hooks.edit',
      feature: 'eventNotifications',
      menu: { section: 'notices', icon: Webhook },
    },
    {
      path: '/admin/hooks/new',
      title: 'hooks.add',
      component: lazyPart(pages, (module) => module.NewHookPage),
      right: 'hooks.edit',
      feature: 'eventNotifications',
    },
    {
      path: '/admin/hooks/$hookId',
      title: 'hooks.edit',
      component: lazyPart(pages, (module) => module.EditHookPage),
      right: 'hooks.edit',
      feature: 'eventNotifications',
    },
    {
      path: '/admin/hooks/$hookId/deliveries',
      title: 'hooks.deliveries',
      component: lazyPart(pages, (module) => module.DeliveriesPage),
      right: 'hooks.edit',
      feature: 'eventNotifications',
    },
  ],
}
