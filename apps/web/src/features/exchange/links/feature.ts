import { Download, Share2 } from 'lucide-react'
import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./links.page.tsx'))

export const feature: Feature = {
  pages: [
    {
      path: '/link/share',
      title: 'menu.shareLinks',
      component: lazyPart(page, (module) => module.ShareLinksPage),
      menu: 'shareLinks',
    },
    {
      path: '/link/invite',
      title: 'menu.inviteLinks',
      component: lazyPart(page, (module) => module.InviteLinksPage),
      menu: 'inviteLinks',
    },
  ],
  menu: [
    { name: 'shareLinks', icon: Share2 },
    { name: 'inviteLinks', icon: Download },
  ],
  actions: [],
}
