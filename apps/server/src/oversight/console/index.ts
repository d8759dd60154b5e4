export { consoleFeature } from './console.feature.ts'
