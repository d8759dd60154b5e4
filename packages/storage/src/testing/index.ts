export { objectStoreSuite, type StoreUnderTest } from './object-store-suite.ts'
