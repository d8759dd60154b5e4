import { INCOMING } from '@godwit/contract/content/incoming'
import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./incoming.page.tsx'), 'files')

export const feature: Feature = {
  pages: [
    {
      path: INCOMING.page,
      title: 'incoming.title',
      component: lazyPart(page, (module) => module.IncomingPage),
      menu: 'personal',
    },
  ],
  menu: [],
  actions: [],
}
