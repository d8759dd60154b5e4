import { siteRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { serviceInfo, siteInfo } from './settings.service.ts'

export { CLIENT_VERSION, PRODUCT_VERSION, PROTOCOL_VERSION } from './settings.service.ts'

export interface SettingsDeps {
  readonly host: string
  readonly port: () => number
  /** Asked of the identity layer, which this layer may not name. */
  readonly isSetupNeeded: () => Promise<boolean>
}

export function settingsEndpoints(deps: SettingsDeps): Endpoint[] {
  return [
    endpoint(siteRoutes.website, async () => siteInfo(await deps.isSetupNeeded())),
    endpoint(siteRoutes.service, () => Promise.resolve(serviceInfo(deps.host, deps.port()))),
  ]
}
