export { previewsFeature } from './previews.feature.ts'
export { lookAt } from './previews.service.ts'
