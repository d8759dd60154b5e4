import { KeyRound } from 'lucide-react'
import type { ConsoleFeature } from '../../../lib/console-feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const pages = lazyModule(() => import('./authentication-pages.ts'))
const right = 'authentication.edit'

export const feature: ConsoleFeature = {
  pages: [
    {
      path: '/admin/authentication',
      title: 'authentication.title',
      component: lazyPart(pages, (module) => module.ProvidersPage),
      right,
      menu: { section: 'people', icon: KeyRound },
    },
    {
      path: '/admin/authentication/new',
      title: 'authentication.add',
      component: lazyPart(pages, (module) => module.NewProviderPage),
      right,
    },
    {
      path: '/admin/authentication/new-provider',
      title: 'authentication.add-sign-on',
      component: lazyPart(pages, (module) => module.NewSignOnPage),
      right,
    },
    {
      path: '/admin/authentication/syncs',
      title: 'authentication.syncs',
      component: lazyPart(pages, (module) => module.SyncsPage),
      right,
    },
    {
      path: '/admin/authentication/syncs/$syncId',
      title: 'authentication.syncs',
      component: lazyPart(pages, (module) => module.SyncPage),
      right,
    },
    {
      path: '/admin/authentication/$providerId',
      title: 'authentication.edit',
      component: lazyPart(pages, (module) => module.EditProviderPage),
      right,
    },
  ],
}
