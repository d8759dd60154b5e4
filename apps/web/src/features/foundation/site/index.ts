export { applyBranding } from './branding.ts'
export { Company } from './company.tsx'
export { LimitScreen } from './limit-screen.tsx'
export { loadSite, ownLogo, productName, SiteProvider, tabTitle, useSite, useTabTitle } from './site.tsx'
