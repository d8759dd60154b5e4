import { Laptop } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./devices-pages.ts'))

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/clients',
      title: 'console-devices.title',
      component: lazyPart(pages, (module) => module.DevicesPage),
      right: 'clients.view',
      menu: { section: 'transfers', icon: Laptop },
    },
  ],
}
