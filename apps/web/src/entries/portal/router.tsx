import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router'
import { FilesPage } from '../../features/content/files/index.ts'
import { CrashPage } from './error-boundary.tsx'
import { LANDING } from './remembered-place.ts'
import { Shell } from './shell/shell.tsx'
import { SignInRoute } from './sign-in-route.tsx'

/** The portal's pages. An address that is none of them leads to the landing page. */
export function createPortalRouter() {
  const root = createRootRoute({ component: Shell, notFoundComponent: () => <Navigate to={LANDING} replace /> })
  const personal = createRoute({ getParentRoute: () => root, path: '/personal', component: FilesPage })
  const signIn = createRoute({ getParentRoute: () => root, path: '/signin', component: SignInRoute })
  return createRouter({
    defaultErrorComponent: CrashPage,
    routeTree: root.addChildren([personal, signIn]),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      const text = new URLSearchParams(given).toString().replaceAll('%2F', '/')
      return text === '' ? '' : `?${text}`
    },
  })
}
