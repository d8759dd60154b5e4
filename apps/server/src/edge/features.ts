import { BRANDING_SETTINGS } from '../foundation/branding/index.ts'
import type { Foundation } from '../foundation/features.ts'
import type { Identity } from '../identity/features.ts'
import type { AddFeature } from '../kernel/feature.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { acmePages } from './acme/index.ts'
import { clientSocketFeature } from './client-socket/index.ts'
import { type Documentation, documentationPages } from './documentation/index.ts'
import { fileSocketFeature } from './file-socket/index.ts'
import { healthPages } from './health/index.ts'
import { httpFeature, type HttpFeatureDeps, type WebFiles, webPages } from './http/index.ts'
import { metricsFeature } from './metrics/index.ts'
import { rendezvousSocketFeature } from './rendezvous-socket/index.ts'
import { scimFeature } from './scim/index.ts'
import { tusFeature } from './tus/index.ts'
import { udpFeature } from './udp/index.ts'
import { webdavFeature } from './webdav/index.ts'

/** Which features stand behind a protocol, its own `Deps` say: this layer knows them by nothing else. */
type DepsOf<Door extends (kernel: Kernel, deps: never) => unknown> = Omit<Parameters<Door>[1], 'contextOf'>

type Given = Foundation &
  Identity &
  DepsOf<typeof webdavFeature> &
  DepsOf<typeof clientSocketFeature> &
  DepsOf<typeof rendezvousSocketFeature> &
  DepsOf<typeof udpFeature> & {
    readonly provisioning: Parameters<typeof scimFeature>[1]
    readonly web: WebFiles | undefined
    readonly documentation: Documentation | undefined
  }

/** The features of this layer in start order: HTTP, which carries what all before it declared, and the sockets after it. */
export function edgeFeatures(kernel: Kernel, add: AddFeature, given: Given) {
  const { storages, licence, certificate, siteAccess, sessions, clients, transfers, rendezvous } = given
  add(tusFeature({ ...kernel, intake: given.intake }))
  add(webdavFeature(kernel, given))
  add(scimFeature(kernel, given.provisioning))
  const http = add(httpFeature(kernel, { sessions, siteAccess, certificate, licence, pages: pagesOf(kernel, given) }))
  const { contextOf } = http
  add(metricsFeature(kernel, { storages }))
  add(fileSocketFeature(kernel, { sessions, licence, contextOf }))
  add(clientSocketFeature(kernel, { clients, sessions, contextOf }))
  add(rendezvousSocketFeature(kernel, { rendezvous, sessions, contextOf }))
  add(udpFeature(kernel, { transfers, rendezvous }))
  return { http }
}

function pagesOf(
  kernel: Kernel,
  { settings, branding, challenges, web, documentation }: Given,
): HttpFeatureDeps['pages'] {
  const portal = webPages(kernel, web, {
    look: () => settings.of(BRANDING_SETTINGS),
    icon: async () => (await branding.addresses()).icon,
  })
  const site = [acmePages(challenges), documentationPages(documentation)]
  return (all, contextOf) => [healthPages(all.checks), ...site, portal(all, contextOf)]
}
