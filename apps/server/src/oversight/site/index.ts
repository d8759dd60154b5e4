export { siteFeature } from './site.feature.ts'
