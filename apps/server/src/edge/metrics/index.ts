export { metricsFeature } from './metrics.feature.ts'
