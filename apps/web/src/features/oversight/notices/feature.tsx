import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const NoticesPage = lazyPart(
  lazyModule(() => import('./notices.page.tsx')),
  (module) => module.NoticesPage,
)

export const feature: Feature = {
  pages: [{ path: '/notification', title: 'notices.title', component: NoticesPage }],
  menu: [],
  actions: [],
}
