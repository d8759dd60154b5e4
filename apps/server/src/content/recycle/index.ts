export { recycleFeature, type Recycle } from './recycle.feature.ts'
export { recycledBytes } from './recycle.store.ts'
