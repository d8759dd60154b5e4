export { versionsFeature } from './versions.feature.ts'
