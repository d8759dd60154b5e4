export { createUploads } from './uploads.service.ts'
export { appendBytes, declareLength, joinPieces, wholePieces, type Check } from './uploads.appends.ts'
export { abortUpload, completeUpload } from './uploads.completion.ts'
export { createUpload, type WantedUpload } from './uploads.creation.ts'
export type { UploadsRoom } from './uploads.deps.ts'
export { openedUpload } from './uploads.grants.ts'
export { failUnfinished } from './uploads.jobs.ts'
export { treeHashOf } from './leaf-hashes.ts'
export type { LiveUpload } from './live-uploads.ts'
export {
  closing,
  keepSessionAlive,
  lengthOf,
  uploadEndpoints,
  uploadRawEndpoints,
  watchedBody,
} from './uploads.routes.ts'
