import { siteRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { presentService, presentSite, type ServiceFacts, type SiteFacts } from './settings.present.ts'
import type { Settings } from './settings.service.ts'

/** Facts of other features, which this layer may not name. */
export interface SettingsEndpointsDeps {
  readonly settings: Settings
  readonly siteFacts: () => Promise<SiteFacts>
  readonly serviceFacts: () => Promise<ServiceFacts>
}

export function settingsEndpoints({ settings, siteFacts, serviceFacts }: SettingsEndpointsDeps): Endpoint[] {
  return [
    endpoint(siteRoutes.website, async () => presentSite(await settings.current(), await siteFacts())),
    endpoint(siteRoutes.service, async () => presentService(await settings.current(), await serviceFacts())),
  ]
}
