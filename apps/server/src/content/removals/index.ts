export { removalsFeature } from './removals.feature.ts'
export type { FilesFate, HandedOver, RemovedAccountRow } from './removals.schema.ts'
export { BY_SYSTEM, removeAccount, requireRoom, settleRemoval, type Fate } from './removals.service.ts'
export { removalsStore } from './removals.store.ts'
