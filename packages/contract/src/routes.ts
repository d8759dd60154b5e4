import { adminRecycleRoutes } from './content/console-recycle.ts'
import { downloadRoutes } from './content/downloads.ts'
import { previewRoutes } from './content/preview-routes.ts'
import { uploadRoutes } from './content/uploads.ts'
import { clientRoutes } from './exchange/clients.ts'
import { adminLinkRoutes } from './exchange/console-links.ts'
import { adminTransferRoutes } from './exchange/console-transfers.ts'
import { linkVisitRoutes } from './exchange/link-visits.ts'
import { linkRoutes } from './exchange/links.ts'
import { receivedLinkRoutes } from './exchange/received-links.ts'
import { transferRoutes } from './exchange/transfers.ts'
import { acmeRoutes } from './foundation/acme.ts'
import { certificateRoutes } from './foundation/certificates.ts'
import { licenceRoutes } from './foundation/licence.ts'
import { adminMailRoutes, mailRoutes } from './foundation/mail.ts'
import { adminMailTextRoutes } from './foundation/mail-words.ts'
import { siteRoutes } from './foundation/site.ts'
import { authRoutes } from './identity/auth.ts'
import { adminAuthenticationRoutes } from './identity/console-authentication.ts'
import { adminScimRoutes } from './identity/console-scim.ts'
import { departmentRoutes } from './identity/console-departments.ts'
import { adminGroupRoutes } from './identity/console-groups.ts'
import { adminMountRoutes } from './identity/console-mounts.ts'
import { adminLogRoutes, adminSessionRoutes } from './identity/console-log.ts'
import { adminViewRoutes } from './identity/console-views.ts'
import { adminRoutes } from './identity/console-me.ts'
import { adminRemovedUserRoutes } from './identity/console-removed-users.ts'
import { administratorRoutes, adminRoleRoutes } from './identity/console-roles.ts'
import { adminSpaceRoutes } from './identity/console-spaces.ts'
import { adminStorageRoutes } from './identity/console-storages.ts'
import { adminAccessRoutes } from './identity/console-access.ts'
import { adminUserRoutes } from './identity/console-users.ts'
import { adminDeviceRoutes, deviceLoginRoutes } from './identity/devices.ts'
import { groupRoutes } from './identity/groups.ts'
import { securityRoutes } from './identity/security.ts'
import { setupRoutes } from './identity/setup.ts'
import { signOnRoutes } from './identity/sign-on.ts'
import { adminDesignImageRoutes } from './foundation/branding-routes.ts'
import { backupRoutes } from './oversight/backups.ts'
import { adminSyslogRoutes } from './oversight/syslog.ts'
import { adminNoticeRoutes } from './oversight/console-notices.ts'
import {
  adminBackupSettingRoutes,
  adminCertificateSettingRoutes,
  adminDesignRoutes,
  adminMailSettingRoutes,
  adminSecuritySettingRoutes,
  adminSettingRoutes,
} from './oversight/console-settings.ts'
import { dashboardRoutes } from './oversight/dashboard.ts'
import { databaseRoutes } from './oversight/database.ts'
import { serverControlRoutes } from './oversight/server-control.ts'
import { hookRoutes } from './oversight/hooks.ts'
import { metricsRoutes } from './oversight/metrics.ts'
import { noticeRoutes } from './oversight/notices.ts'
import { spaceMoveRoutes } from './oversight/space-moves.ts'
import type { RouteSpec } from './wire/route.ts'

/** Every HTTP route but the file operations, by feature. A route that is missing here fails a test. */
export const ROUTES = {
  site: siteRoutes,
  setup: setupRoutes,
  auth: authRoutes,
  groups: groupRoutes,
  admin: adminRoutes,
  adminViews: adminViewRoutes,
  adminAccess: adminAccessRoutes,
  adminUsers: adminUserRoutes,
  adminRemovedUsers: adminRemovedUserRoutes,
  adminRoles: adminRoleRoutes,
  administrators: administratorRoutes,
  adminGroups: adminGroupRoutes,
  adminMounts: adminMountRoutes,
  adminSpaces: adminSpaceRoutes,
  adminSpaceMoves: spaceMoveRoutes,
  adminStorages: adminStorageRoutes,
  adminAuthentication: adminAuthenticationRoutes,
  adminScim: adminScimRoutes,
  adminDepartments: departmentRoutes,
  adminLinks: adminLinkRoutes,
  adminLog: adminLogRoutes,
  adminSessions: adminSessionRoutes,
  adminMail: adminMailRoutes,
  adminSyslog: adminSyslogRoutes,
  adminMailTexts: adminMailTextRoutes,
  adminMailSettings: adminMailSettingRoutes,
  certificates: certificateRoutes,
  acme: acmeRoutes,
  adminCertificateSettings: adminCertificateSettingRoutes,
  licence: licenceRoutes,
  adminSettings: adminSettingRoutes,
  adminSecuritySettings: adminSecuritySettingRoutes,
  adminDesign: adminDesignRoutes,
  adminDesignImages: adminDesignImageRoutes,
  adminBackupSettings: adminBackupSettingRoutes,
  backups: backupRoutes,
  database: databaseRoutes,
  dashboard: dashboardRoutes,
  serverControl: serverControlRoutes,
  metrics: metricsRoutes,
  security: securityRoutes,
  signOn: signOnRoutes,
  deviceLogins: deviceLoginRoutes,
  adminDevices: adminDeviceRoutes,
  clients: clientRoutes,
  links: linkRoutes,
  receivedLinks: receivedLinkRoutes,
  visits: linkVisitRoutes,
  mail: mailRoutes,
  notices: noticeRoutes,
  adminNotices: adminNoticeRoutes,
  hooks: hookRoutes,
  downloads: downloadRoutes,
  previews: previewRoutes,
  uploads: uploadRoutes,
  transfers: transferRoutes,
  adminTransfers: adminTransferRoutes,
  adminRecycle: adminRecycleRoutes,
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
