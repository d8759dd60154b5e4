export { applyBranding } from './branding.ts'
export { loadSite, productName, SiteProvider, useSite } from './site.tsx'
