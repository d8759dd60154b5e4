import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./marks.page.tsx'), 'marks')

export const feature: Feature = {
  pages: [
    {
      path: '/favourites',
      title: 'marks.favorites',
      component: lazyPart(page, (module) => module.FavoritesPage),
      menu: 'personal',
    },
    {
      path: '/recent',
      title: 'marks.recent',
      component: lazyPart(page, (module) => module.RecentPage),
      menu: 'personal',
    },
  ],
  menu: [],
  actions: [],
}
