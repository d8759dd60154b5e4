export { recycleFeature } from './recycle.feature.ts'
export { recycledBytes } from './recycle.store.ts'
