import { BadgeCheck } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./licence.page.tsx'), 'papers')

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/licence',
      title: 'licence.title',
      component: lazyPart(page, (module) => module.LicencePage),
      right: 'licence.edit',
      menu: { section: 'system', icon: BadgeCheck },
    },
  ],
}
