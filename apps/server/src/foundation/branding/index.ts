export { brandingFeature } from './branding.feature.ts'
export { openBranding, type Branding } from './branding.service.ts'
