import { createRootRoute, createRoute, createRouter, Navigate, type RouteComponent } from '@tanstack/react-router'
import type { PageDef } from '../../lib/feature.ts'
import { CrashPage, CrashPanel } from '../../ui/error-boundary.tsx'
import { PAGES } from './features.ts'
import { LandingPage, MenuPage } from './menu-page.tsx'
import { LANDING } from './remembered-place.ts'
import { Shell } from './shell/shell.tsx'
import { SignInRoute } from './sign-in-route.tsx'

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
      ...PAGES.map((page) => at(page.path, guarded(page))),
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

function guarded({ menu, component }: PageDef): RouteComponent {
  if (menu === undefined) return component
  return function Page() {
    return <MenuPage menu={menu} component={component} />
  }
}
