export { searchFeature } from './search.feature.ts'
export { SEARCH_TABLES } from './search.schema.ts'
