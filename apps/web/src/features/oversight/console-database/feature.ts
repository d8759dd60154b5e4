import { Database } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./database.page.tsx'))

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/database',
      title: 'database.title',
      component: lazyPart(page, (module) => module.DatabasePage),
      right: 'database.edit',
      menu: { section: 'system', icon: Database },
    },
  ],
}
