export { ensureInstallation, installationId } from './installation.ts'
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
export { storageHealthCode } from './storages.errors.ts'
export { changeStorageKey } from './storages.keys.ts'
export { storagesFeature } from './storages.feature.ts'
export { editStorage, tryStorage, type ChangedStorage } from './storages.edit.ts'
export type { StorageRow } from './storages.schema.ts'
export { probeParts } from './storages.probe.ts'
export { storagesStore } from './storages.store.ts'
export { openRestoredStorages, requireEmptyStorages, type ArchivedStorage } from './storages.restore.ts'
export { openStorages, withStorages, type RunningStorages, type Storages } from './storages.service.ts'
