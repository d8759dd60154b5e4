import { Network } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./departments.page.tsx'))
const DepartmentsPage = lazyPart(page, (module) => module.DepartmentsPage)

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/departments',
      title: 'departments.title',
      component: DepartmentsPage,
      right: 'departments.view',
      menu: { section: 'people', icon: Network },
    },
  ],
}
