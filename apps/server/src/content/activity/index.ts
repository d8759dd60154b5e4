export { activityFeature } from './activity.feature.ts'
export { uploaderOf } from './activity.service.ts'
