export { ensureInstallation } from './installation.ts'
export { storageError, withAppErrors } from './storage-errors.ts'
export {
  addStorage,
  adoptStorage,
  listStorages,
  makeDefault,
  removeStorage,
  testStorage,
  type StorageAdminDeps,
  type StorageInfo,
} from './storages.admin.ts'
export { storagesFeature } from './storages.feature.ts'
export { STORAGE_KINDS, type StorageKind } from './storages.kinds.ts'
export { openRestoredStorages, requireEmptyStorages, type ArchivedStorage } from './storages.restore.ts'
export { openStorages, type Storages } from './storages.service.ts'
