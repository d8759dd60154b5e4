export { previewLogFeature } from './preview-log.feature.ts'
export { beginView, noteViewed, previewLog } from './preview-log.service.ts'
