export { startGoogleService, type GoogleService } from './google-service.ts'
export { objectStoreSuite, type StoreUnderTest } from './object-store-suite.ts'
export { openBucket, temporaryBucket, type S3Account, type TemporaryBucket } from './temporary-bucket.ts'
export { makeContainer } from './temporary-container.ts'
