export { fullTextFeature } from './full-text.feature.ts'
export { FULL_TEXT_TABLES } from './full-text.schema.ts'
