import { MENU, MENU_ORDER, type MenuName } from '@godwit/contract/foundation/menus'
import { createRootRoute, createRoute, createRouter, Navigate, type RouteComponent } from '@tanstack/react-router'
import { NoticesPage } from '../../features/oversight/notices/index.ts'
import { lazyModule, lazyPart } from '../../lib/lazy.tsx'
import { CrashPage, CrashPanel } from './error-boundary.tsx'
import { LandingPage, MenuPage } from './menu-page.tsx'
import { LANDING } from './remembered-place.ts'
import { Shell } from './shell/shell.tsx'
import { SignInRoute } from './sign-in-route.tsx'

const ProfilePage = lazyPart(
  lazyModule(() => import('../../features/identity/profile/index.ts')),
  (module) => module.ProfilePage,
)

/** The portal's pages. An address that is none of them leads to the landing page. */
export function createPortalRouter() {
  const root = createRootRoute({
    component: Shell,
    // The router's own page would speak English to everyone.
    errorComponent: CrashPage,
    notFoundComponent: () => <Navigate to={LANDING} replace />,
  })
  const at = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component })
  return createRouter({
    defaultErrorComponent: CrashPanel,
    routeTree: root.addChildren([
      at('/', LandingPage),
      ...MENU_ORDER.map((name) => at(MENU[name].path, pageOf(name))),
      at('/group/detail/$groupId', pageOf('group')),
      at('/profile', ProfilePage),
      at('/profile/$section', ProfilePage),
      at('/notification', NoticesPage),
      at('/signin', SignInRoute),
    ]),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      const text = new URLSearchParams(given).toString().replaceAll('%2F', '/')
      return text === '' ? '' : `?${text}`
    },
  })
}

function pageOf(name: MenuName) {
  return function Page() {
    return <MenuPage name={name} />
  }
}
