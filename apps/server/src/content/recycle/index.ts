export { recycleFeature } from './recycle.feature.ts'
