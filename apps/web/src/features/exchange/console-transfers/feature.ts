import { ArrowLeftRight, History } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./transfers-pages.ts'))
const LiveTransfersPage = lazyPart(pages, (module) => module.LiveTransfersPage)
const TransferLogPage = lazyPart(pages, (module) => module.TransferLogPage)

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/transfers',
      title: 'console-transfers.live',
      component: LiveTransfersPage,
      right: 'transfers.view',
      menu: { section: 'transfers', icon: ArrowLeftRight },
    },
    {
      path: '/admin/transfers/log',
      title: 'console-transfers.log',
      component: TransferLogPage,
      right: 'transfers.view',
      menu: { section: 'transfers', icon: History },
    },
  ],
}
