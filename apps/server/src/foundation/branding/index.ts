export { brandingFeature } from './branding.feature.ts'
export { BRANDING_SETTINGS, type BrandingSettings } from './branding.settings.ts'
export { openBranding, type Branding } from './branding.service.ts'
