export {
  isLost,
  publishStaged,
  removeSource,
  requireStored,
  stageFile,
  UNCERTAIN,
  writeUpload,
  type CrossStorage,
  type StagedFile,
  type StoredFile,
} from './cross-storage.ts'
