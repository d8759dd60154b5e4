export { previewsFeature } from './previews.feature.ts'
