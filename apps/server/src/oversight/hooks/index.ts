export { hooksFeature } from './hooks.feature.ts'
