import { siteRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import {
  presentService,
  presentSite,
  type MenuValues,
  type ServiceFacts,
  type SiteFacts,
  type SiteValues,
} from './site.present.ts'

export interface SiteEndpointsDeps {
  readonly values: () => Promise<SiteValues>
  readonly menu: () => Promise<MenuValues>
  readonly siteFacts: () => Promise<SiteFacts>
  readonly serviceFacts: () => Promise<ServiceFacts>
}

/** What this installation shows to everyone, now. */
export async function websiteInfo({ values, menu, siteFacts }: Omit<SiteEndpointsDeps, 'serviceFacts'>) {
  return presentSite(await values(), await menu(), await siteFacts())
}

export function siteEndpoints({ serviceFacts, ...known }: SiteEndpointsDeps): Endpoint[] {
  return [
    endpoint(siteRoutes.website, () => websiteInfo(known)),
    endpoint(siteRoutes.service, async () => presentService(await known.values(), await serviceFacts())),
  ]
}
