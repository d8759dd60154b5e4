export { serverControlFeature } from './server-control.feature.ts'
