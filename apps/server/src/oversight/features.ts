import type { Content } from '../content/features.ts'
import type { Exchange } from '../exchange/features.ts'
import type { Foundation } from '../foundation/features.ts'
import type { Identity } from '../identity/features.ts'
import type { AddFeature } from '../kernel/feature.ts'
import type { LoadedConfig } from '../kernel/config/index.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { accessAnswersFeature } from './access-answers/index.ts'
import { backupsFeature } from './backups/index.ts'
import { consoleFeature } from './console/index.ts'
import { consoleSettingsFeature } from './console-settings/index.ts'
import { dashboardFeature } from './dashboard/index.ts'
import { databaseFeature } from './database/index.ts'
import { hooksFeature } from './hooks/index.ts'
import { licencesFeature } from './licences/index.ts'
import { noticesFeature } from './notices/index.ts'
import { provisioningFeature } from './provisioning/index.ts'
import { relocationsFeature } from './relocations/index.ts'
import { serverControlFeature } from './server-control/index.ts'
import { siteFeature } from './site/index.ts'
import { syslogFeature } from './syslog/index.ts'

interface Given extends Foundation, Identity, Content, Exchange {
  /** Where each key of the configuration came from. */
  readonly sources: LoadedConfig['sources'] | undefined
}

/** The features of this layer in start order. @returns what the layers above are given of them */
export function oversightFeatures(kernel: Kernel, add: AddFeature, given: Given) {
  const { settings, storages, licence, mail, users, auth, quotas } = given
  const notices = add(noticesFeature(kernel, { mail, quotas, settings }))
  add(hooksFeature(kernel, { notices }))
  add(syslogFeature(kernel, { settings }))
  add(licencesFeature(kernel, { licence }))
  add(consoleFeature(kernel, { users, auth, quotas, settings, storages, licence }))
  add(accessAnswersFeature(kernel, given))
  add(relocationsFeature(kernel, { storages }))
  const backups = add(backupsFeature(kernel, { settings, storages }))
  add(consoleSettingsFeature(kernel, { settings, licence }))
  add(siteFeature(kernel, given))
  const provisioning = add(provisioningFeature(kernel, { users, auth, licence }))
  add(dashboardFeature(kernel, { storages, backups, mailer: mail.mailer }))
  add(serverControlFeature(kernel, { storages, sources: given.sources }))
  add(databaseFeature(kernel))
  return { provisioning }
}
