export { siteAccessFeature, type SiteAccess } from './site-access.feature.ts'
export { isAdmitted, requireLists } from './site-access.policy.ts'
export { SITE_ACCESS_SETTINGS } from './site-access.settings.ts'
