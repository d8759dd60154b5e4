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

export function siteEndpoints({ values, menu, siteFacts, serviceFacts }: SiteEndpointsDeps): Endpoint[] {
  return [
    endpoint(siteRoutes.website, async () => presentSite(await values(), await menu(), await siteFacts())),
    endpoint(siteRoutes.service, async () => presentService(await values(), await serviceFacts())),
  ]
}
