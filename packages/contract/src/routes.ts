import { downloadRoutes } from './content/downloads.ts'
import { previewRoutes } from './content/preview-routes.ts'
import { uploadRoutes } from './content/uploads.ts'
import { clientRoutes } from './exchange/clients.ts'
import { mailRoutes } from './foundation/mail.ts'
import { siteRoutes } from './foundation/site.ts'
import { authRoutes } from './identity/auth.ts'
import { groupRoutes } from './identity/groups.ts'
import { securityRoutes } from './identity/security.ts'
import { setupRoutes } from './identity/setup.ts'
import { noticeRoutes } from './oversight/notices.ts'
import type { RouteSpec } from './wire/route.ts'

/** Every HTTP route but the file operations, by feature. A route that is missing here fails a test. */
export const ROUTES = {
  site: siteRoutes,
  setup: setupRoutes,
  auth: authRoutes,
  groups: groupRoutes,
  security: securityRoutes,
  clients: clientRoutes,
  mail: mailRoutes,
  notices: noticeRoutes,
  downloads: downloadRoutes,
  previews: previewRoutes,
  uploads: uploadRoutes,
} as const satisfies Readonly<Record<string, Readonly<Record<string, RouteSpec>>>>

export interface RegisteredRoute {
  /** Key in {@link ROUTES}. */
  readonly feature: string
  readonly name: string
  readonly spec: RouteSpec
}

export function allRoutes(): readonly RegisteredRoute[] {
  const features: Readonly<Record<string, Readonly<Record<string, RouteSpec>>>> = ROUTES
  return Object.entries(features).flatMap(([feature, routes]) =>
    Object.entries(routes).map(([name, spec]): RegisteredRoute => ({ feature, name, spec })),
  )
}
