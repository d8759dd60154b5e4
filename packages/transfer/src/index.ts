export {
  type FileFailure,
  type SourceItem,
  type TransferProgress,
  type TransferResult,
} from './engines/engine.types.ts'
export { receiveFiles, type ReceiveTask } from './engines/receive-engine.ts'
export { sendFiles, type SendTask } from './engines/send-engine.ts'
export { TRANSFER_ERRORS, TransferError, type TransferErrorCode } from './errors/transfer-error.ts'
export { listFiles } from './files/listing.ts'
export { createFilter, type Filter, type FilterRules } from './filters/filter.ts'
export { type HashName, treeHash } from './hashes/tree-hash.ts'
export type { ManifestEntry } from './manifests/entry.ts'
export { checkPath, type PathFault, type SafePath } from './manifests/paths.ts'
export type { Bottleneck, BottleneckName } from './progress/bottleneck.ts'
export { localMinute, parseRate, parseSchedule, rateAt, type SpeedPeriod } from './rates/schedule.ts'
export { startDiskThread, startReadThreads } from './workers/disk-thread.ts'
