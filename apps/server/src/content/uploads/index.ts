export { UPLOAD_SETTINGS } from './uploads.settings.ts'
export { uploadsFeature } from './uploads.feature.ts'
