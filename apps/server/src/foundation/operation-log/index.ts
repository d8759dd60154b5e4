export {
  accountName,
  appendOperations,
  editConflict,
  forgetOperations,
  loggedEndpoint,
  recordExport,
  type Actor,
  type ChangedThing,
  type OperationLogDeps,
  type RecordChange,
} from './operation-log.service.ts'
export type { OperationRow } from './operation-log.schema.ts'
export { operationLogStore } from './operation-log.store.ts'
export { LOG_SETTINGS } from './operation-log.settings.ts'
export { verifyLog } from './verify-log.ts'
