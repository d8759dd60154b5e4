export { storageError, withAppErrors } from './storage-errors.ts'
export { storagesFeature } from './storages.feature.ts'
export { openStorages, type Storages } from './storages.service.ts'
