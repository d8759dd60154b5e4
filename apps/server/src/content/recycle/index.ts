export { recycleFeature, type Recycle } from './recycle.feature.ts'
export type { RecycleDeps } from './recycle.deps.ts'
export { purgeAllOf } from './recycle.purge.ts'
export { recycledBytes } from './recycle.store.ts'
