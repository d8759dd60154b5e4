export { bookFiles, type BookedFile } from './bookings.ts'
export {
  allHashes,
  carryHashes,
  copyHashes,
  forgetHash,
  forgetHashes,
  hashAt,
  hashesOf,
  retagHashes,
  spacesWithHashes,
  type KnownHash,
} from './file-hashes.store.ts'
export { bucketOf } from './quota-buckets.ts'
export { quotasFeature } from './quotas.feature.ts'
export { correctUsage, recordedUsage, type RecordedUsage } from './recorded-usage.ts'
export { changeUsage, createQuotas, type Quotas } from './quotas.service.ts'
