export { objectStoreSuite, type StoreUnderTest } from './object-store-suite.ts'
export { temporaryBucket, type S3Account } from './temporary-bucket.ts'
