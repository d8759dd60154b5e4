export { tusFeature } from './tus.feature.ts'
