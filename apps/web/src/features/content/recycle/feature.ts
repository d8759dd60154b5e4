import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./recycle.page.tsx'))

export const feature: Feature = {
  pages: [
    {
      path: '/recycle',
      title: 'recycle.title',
      component: lazyPart(page, (module) => module.RecyclePage),
      menu: 'personal',
    },
  ],
  menu: [],
  actions: [],
}
