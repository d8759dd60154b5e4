import { activityFeature } from './content/activity/index.ts'
import { archivesFeature } from './content/archives/index.ts'
import { downloadsFeature } from './content/downloads/index.ts'
import { filesFeature } from './content/files/index.ts'
import { cleaningFeature } from './content/cleaning/index.ts'
import { groupsFeature } from './content/groups/index.ts'
import { accountSpeedsFeature } from './content/account-speeds/index.ts'
import { fullTextFeature } from './content/full-text/index.ts'
import { intakeFeature } from './content/intake/index.ts'
import { marksFeature } from './content/marks/index.ts'
import { previewsFeature } from './content/previews/index.ts'
import { quotasFeature } from './content/quotas/index.ts'
import { recycleFeature } from './content/recycle/index.ts'
import { mountsFeature } from './content/mounts/index.ts'
import { removalsFeature } from './content/removals/index.ts'
import { sealedBodiesFeature } from './content/sealed-bodies/index.ts'
import { searchFeature } from './content/search/index.ts'
import { spacesFeature } from './content/spaces/index.ts'
import { uploadsFeature } from './content/uploads/index.ts'
import { undoFeature } from './content/undo/index.ts'
import { versionsFeature } from './content/versions/index.ts'
import { clientSocketFeature } from './edge/client-socket/index.ts'
import { acmePages } from './edge/acme/index.ts'
import { documentationPages } from './edge/documentation/index.ts'
import { fileSocketFeature } from './edge/file-socket/index.ts'
import { healthPages } from './edge/health/index.ts'
import { httpFeature, type HttpFeatureDeps, webPages } from './edge/http/index.ts'
import { metricsFeature } from './edge/metrics/index.ts'
import { rendezvousSocketFeature } from './edge/rendezvous-socket/index.ts'
import { scimFeature } from './edge/scim/index.ts'
import { syslogFeature } from './oversight/syslog/index.ts'
import { tusFeature } from './edge/tus/index.ts'
import { udpFeature } from './edge/udp/index.ts'
import { webdavFeature } from './edge/webdav/index.ts'
import { clientsFeature } from './exchange/clients/index.ts'
import { linksFeature } from './exchange/links/index.ts'
import { rendezvousFeature } from './exchange/rendezvous/index.ts'
import { transfersFeature } from './exchange/transfers/index.ts'
import { acmeFeature } from './foundation/acme/index.ts'
import { BRANDING_SETTINGS, brandingFeature } from './foundation/branding/index.ts'
import { certificatesFeature } from './foundation/certificates/index.ts'
import { clientPackagesFeature } from './foundation/client-packages/index.ts'
import { conversionsFeature } from './foundation/conversions/index.ts'
import { licenceFeature } from './foundation/licence/index.ts'
import { mailFeature } from './foundation/mail/index.ts'
import { picturesFeature } from './foundation/pictures/index.ts'
import { serverStateFeature } from './foundation/server-state/index.ts'
import { settingsFeature } from './foundation/settings/index.ts'
import { storagesFeature } from './foundation/storages/index.ts'
import { authFeature } from './identity/auth/index.ts'
import { providersFeature } from './identity/providers/index.ts'
import { devicesFeature } from './identity/devices/index.ts'
import { securityFeature } from './identity/security/index.ts'
import { setupFeature } from './identity/setup/index.ts'
import { signOnFeature } from './identity/sign-on/index.ts'
import { siteAccessFeature } from './identity/site-access/index.ts'
import { mailAccountOf, usersFeature } from './identity/users/index.ts'
import { featureList } from './kernel/feature.ts'
import type { Kernel } from './kernel/kernel.ts'
import { backupsFeature } from './oversight/backups/index.ts'
import { accessAnswersFeature } from './oversight/access-answers/index.ts'
import { consoleFeature } from './oversight/console/index.ts'
import { consoleSettingsFeature } from './oversight/console-settings/index.ts'
import { dashboardFeature } from './oversight/dashboard/index.ts'
import { databaseFeature } from './oversight/database/index.ts'
import { hooksFeature } from './oversight/hooks/index.ts'
import { licencesFeature } from './oversight/licences/index.ts'
import { noticesFeature } from './oversight/notices/index.ts'
import { provisioningFeature } from './oversight/provisioning/index.ts'
import { serverControlFeature } from './oversight/server-control/index.ts'
import { relocationsFeature } from './oversight/relocations/index.ts'
import { siteFeature } from './oversight/site/index.ts'
import type { Parts } from './parts.ts'

/** Every feature in start order. This is the only place that knows them all. */
export function listFeatures(kernel: Kernel, { web, documentation, sources }: Parts) {
  const { all, add } = featureList()
  const storages = add(storagesFeature(kernel))
  const settings = add(settingsFeature(kernel))
  const state = add(serverStateFeature(kernel))
  const licence = add(licenceFeature(kernel, { settings }))
  const pictures = add(picturesFeature(kernel, { settings }))
  const conversions = add(conversionsFeature(kernel, { settings }))
  const certificate = add(certificatesFeature(kernel))
  const challenges = add(acmeFeature(kernel, { settings }))
  const branding = add(brandingFeature(kernel))
  const packages = add(clientPackagesFeature(kernel))
  const mail = add(mailFeature(kernel, { settings, accountOf: mailAccountOf(kernel) }))
  const siteAccess = add(siteAccessFeature({ settings }))
  const users = add(usersFeature(kernel, { settings, licence }))
  const elsewhere = add(providersFeature(kernel, { licence }))
  const auth = add(authFeature(kernel, { users, settings, mail, elsewhere, state }))
  const { sessions } = auth
  add(securityFeature(kernel, { auth, settings }))
  add(devicesFeature(kernel, auth))
  add(signOnFeature(kernel, auth))
  const setup = add(setupFeature(kernel, { users, auth }))
  const quotas = add(quotasFeature(kernel))
  const files = add(filesFeature(kernel, { storages, quotas, settings }))
  add(activityFeature(files))
  add(marksFeature(files))
  const recycle = add(recycleFeature(kernel, { files, quotas }))
  add(undoFeature(kernel, { files, quotas, recycle }))
  const { groupsOf } = add(groupsFeature(kernel, { files, quotas, settings }))
  add(mountsFeature(kernel))
  const sealing = add(sealedBodiesFeature(kernel, { settings }))
  add(spacesFeature(kernel, { mail, quotas, settings, groupsOf, sealing }))
  const speeds = add(accountSpeedsFeature(kernel, { licence, settings }))
  const intake = add(intakeFeature(kernel, { files, quotas, sessions, speeds, settings, state }))
  add(uploadsFeature(kernel, { ...intake, sealed: sealing.bodies }))
  add(versionsFeature(kernel, { files, quotas }))
  add(removalsFeature(kernel, { files, quotas, storages, intake: intake.intake }))
  const downloads = add(downloadsFeature(kernel, { files, sessions, speeds, settings, state }))
  add(archivesFeature(kernel, { files, quotas, intake: intake.intake }))
  const watermarks = add(previewsFeature(kernel, { files, downloads, pictures, conversions, settings, branding }))
  add(searchFeature(kernel, { files, settings, ...add(fullTextFeature(kernel, { settings, storages })) }))
  add(cleaningFeature(kernel, { storages, recycle: recycle.file }))
  const clients = add(clientsFeature(kernel, { settings, licence, packages, sessions }))
  const served = { files, intake: intake.intake, downloads, settings, mail, sealing, state }
  add(linksFeature(kernel, { ...served, pictures, conversions, watermarks }))
  const transfers = add(transfersFeature(kernel, { files, intake, downloads, settings, clients, state, licence }))
  const rendezvous = add(rendezvousFeature(kernel, { settings, transfers }))
  add(hooksFeature(kernel, { notices: add(noticesFeature(kernel, { mail, quotas, settings })) }))
  add(syslogFeature(kernel, { settings }))
  add(licencesFeature(kernel, { licence }))
  add(consoleFeature(kernel, { users, auth, quotas, settings, storages, licence }))
  add(accessAnswersFeature(kernel, { files, quotas, settings, speeds, state, licence }))
  add(relocationsFeature(kernel, { storages }))
  const backups = add(backupsFeature(kernel, { settings, storages }))
  add(consoleSettingsFeature(kernel, { settings, licence }))
  add(siteFeature(kernel, { settings, state, licence, packages, branding, clients, mail }))
  add(tusFeature({ ...kernel, ...intake }))
  add(webdavFeature(kernel, { auth, settings, files, quotas, recycle, downloads, intake: intake.intake }))
  add(scimFeature(kernel, add(provisioningFeature(kernel, { users, auth, licence }))))
  const portal = webPages(kernel, web, {
    look: () => settings.of(BRANDING_SETTINGS),
    icon: async () => (await branding.addresses()).icon,
  })
  const site = [acmePages(challenges), documentationPages(documentation)]
  const pages: HttpFeatureDeps['pages'] = (all, contextOf) => [healthPages(all.checks), ...site, portal(all, contextOf)]
  const http = add(httpFeature(kernel, { sessions, siteAccess, certificate, licence, pages }))
  add(dashboardFeature(kernel, { storages, backups, mailer: mail.mailer, connections: http.connections }))
  add(serverControlFeature(kernel, { storages, sources }))
  add(databaseFeature(kernel))
  add(metricsFeature(kernel, { storages, connections: http.connections }))
  add(fileSocketFeature(kernel, { sessions, licence, contextOf: http.contextOf }))
  add(clientSocketFeature(kernel, { clients, sessions, contextOf: http.contextOf }))
  add(rendezvousSocketFeature(kernel, { rendezvous, sessions, contextOf: http.contextOf }))
  add(udpFeature(kernel, { transfers, rendezvous }))
  return { all, http, setup, state }
}
