import { Trash2 } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./recycle-all.page.tsx'))

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/recycle',
      title: 'recycle.title',
      component: lazyPart(page, (module) => module.RecycleAllPage),
      right: 'recycle.view',
      menu: { section: 'storage', icon: Trash2 },
    },
  ],
}
