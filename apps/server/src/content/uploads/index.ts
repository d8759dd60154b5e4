export { uploadsFeature } from './uploads.feature.ts'
