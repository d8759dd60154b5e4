import type { Feature } from '../../../lib/feature.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import type { PortalKey } from '../../../lib/texts.tsx'

const ProfilePage = lazyPart(
  lazyModule(() => import('./profile.page.tsx'), 'identity'),
  (module) => module.ProfilePage,
)

const TITLES: Readonly<Record<string, PortalKey>> = {
  '/profile/info': 'profile.info',
  '/profile/password': 'profile.password',
  '/profile/email': 'profile.email',
  '/profile/security': 'profile.security',
  '/profile/tokens': 'profile.tokens',
}

const titleOf = (path: string): PortalKey => TITLES[path] ?? 'pages.profile'

export const feature: Feature = {
  pages: [
    { path: '/profile', title: titleOf, component: ProfilePage },
    { path: '/profile/$section', title: titleOf, component: ProfilePage },
  ],
  menu: [],
  actions: [],
}
