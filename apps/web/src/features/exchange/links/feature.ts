import { Download, Share2, Users } from 'lucide-react'
import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const page = lazyModule(() => import('./links.page.tsx'))
const received = lazyModule(() => import('./received.page.tsx'))

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
    {
      path: '/link/encrypted',
      title: 'menu.shareLinks',
      component: lazyPart(page, (module) => module.SealedLinkPage),
      menu: 'shareLinks',
    },
    {
      path: '/link/received',
      title: 'menu.receivedLinks',
      component: lazyPart(received, (module) => module.ReceivedLinksPage),
      menu: 'receivedLinks',
    },
  ],
  menu: [
    { name: 'shareLinks', icon: Share2 },
    { name: 'inviteLinks', icon: Download },
    { name: 'receivedLinks', icon: Users },
  ],
  actions: [],
}
