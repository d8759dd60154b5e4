export { brandingRawEndpoints } from './branding.routes.ts'
export { openBranding, type Branding } from './branding.service.ts'
