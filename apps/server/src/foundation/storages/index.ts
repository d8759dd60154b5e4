export { openStorages, type Storages } from './storages.service.ts'
