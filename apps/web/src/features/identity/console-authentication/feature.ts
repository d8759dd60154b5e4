import { Fingerprint } from 'lucide-react'
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
      feature: 'directoryLogin',
      menu: { section: 'people', icon: Fingerprint },
    },
    {
      path: '/admin/authentication/new',
      title: 'authentication.add',
      component: lazyPart(pages, (module) => module.NewProviderPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/new-provider',
      title: 'authentication.add-sign-on',
      component: lazyPart(pages, (module) => module.NewSignOnPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/new-saml',
      title: 'authentication.add-saml',
      component: lazyPart(pages, (module) => module.NewSamlPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/new-http',
      title: 'authentication.add-http',
      component: lazyPart(pages, (module) => module.NewHttpPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/new-email',
      title: 'authentication.add-email',
      component: lazyPart(pages, (module) => module.NewMailLoginPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/new-unix',
      title: 'authentication.add-unix',
      component: lazyPart(pages, (module) => module.NewUnixPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/scim',
      title: 'authentication.scim',
      component: lazyPart(pages, (module) => module.ScimPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/syncs',
      title: 'authentication.syncs',
      component: lazyPart(pages, (module) => module.SyncsPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/syncs/$syncId',
      title: 'authentication.syncs',
      component: lazyPart(pages, (module) => module.SyncPage),
      right,
      feature: 'directoryLogin',
    },
    {
      path: '/admin/authentication/$providerId',
      title: 'authentication.edit',
      component: lazyPart(pages, (module) => module.EditProviderPage),
      right,
      feature: 'directoryLogin',
    },
  ],
}
