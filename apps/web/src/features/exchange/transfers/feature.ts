import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./transfers.page.tsx'), 'transfers')

export const feature: Feature = {
  pages: [{ path: '/transfers', title: 'menu.transfers', component: lazyPart(page, (module) => module.TransfersPage) }],
  menu: [],
  actions: [],
}
