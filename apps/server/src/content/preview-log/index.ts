export { previewLogParts } from './preview-log.parts.ts'
export { beginView, noteViewed, previewLog } from './preview-log.service.ts'
