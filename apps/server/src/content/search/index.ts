export { rootKeyOf, searchFeature } from './search.feature.ts'
export { createSpaceUsage } from './space-usage.ts'
export { SEARCH_TABLES } from './search.schema.ts'
