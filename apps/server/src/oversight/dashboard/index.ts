export { dashboardFeature } from './dashboard.feature.ts'
