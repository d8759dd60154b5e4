import { siteRoutes } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { presentService, presentSite, type ServiceFacts, type SiteFacts } from './site.present.ts'

export interface SiteEndpointsDeps {
  readonly settings: Settings
  readonly siteFacts: () => Promise<SiteFacts>
  readonly serviceFacts: () => Promise<ServiceFacts>
}

export function siteEndpoints({ settings, siteFacts, serviceFacts }: SiteEndpointsDeps): Endpoint[] {
  return [
    endpoint(siteRoutes.website, async () => presentSite(await settings.current(), await siteFacts())),
    endpoint(siteRoutes.service, async () => presentService(await settings.current(), await serviceFacts())),
  ]
}
