export { bookFiles, type BookedFile } from './bookings.ts'
export {
  allHashes,
  carryHashes,
  copyHashes,
  forgetHash,
  forgetHashes,
  forgetHashOf,
  hashAt,
  hashesOf,
  rememberHashes,
  replaceHash,
  retagFiles,
  retagHashes,
  spacesWithHashes,
  storedAt,
  type KnownHash,
} from './file-hashes.store.ts'
export {
  carryVersionRows,
  carryVersions,
  versionBytes,
  versionKeyHash,
  versionsStore,
  type CarriedVersions,
  type VersionRow,
} from './file-versions.store.ts'
export { bucketOf, holderOf } from './quota-buckets.ts'
export { quotasFeature } from './quotas.feature.ts'
export { correctUsage, forgetUsage, recordedUsage, type RecordedUsage } from './recorded-usage.ts'
export { changeUsage, createQuotas, type Quotas } from './quotas.service.ts'
