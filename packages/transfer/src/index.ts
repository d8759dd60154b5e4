export type { EngineEvents, TransferProgress, TransferResult } from './engines/engine.types.ts'
export { receiveFiles } from './engines/receive-engine.ts'
export type * from './engines/receive.types.ts'
export { sendFiles } from './engines/send-engine.ts'
export type * from './engines/send.types.ts'
export { TaskTurns } from './engines/task-turns.ts'
export { TRANSFER_ERRORS, TransferError, type TransferErrorCode } from './errors/transfer-error.ts'
export { createFilter, type Filter, type FilterRules } from './filters/filter.ts'
export { EXISTING_POLICIES, type ExistingPolicy, type KeptAttributes, type Verdict } from './messages/messages.ts'
export { HASH_BYTES, type HashName, treeHash } from './hashes/tree-hash.ts'
export type { ManifestEntry } from './manifests/entry.ts'
export { checkPath, PathClashes, type PathFault, type SafePath } from './manifests/paths.ts'
export {
  type Bottleneck,
  type BottleneckFigures,
  type BottleneckName,
  describeBottleneck,
} from './progress/bottleneck.ts'
export { localMinute, parseRate, parseSchedule, rateAt, type SpeedPeriod } from './rates/schedule.ts'
export { startDiskSource } from './sources/disk-source.ts'
export type * from './sources/source.ts'
export { diskTarget } from './targets/disk-target.ts'
export type * from './targets/target.ts'
export { startDiskThread } from './workers/disk-thread.ts'
