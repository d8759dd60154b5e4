export { activityFeature } from './activity.feature.ts'
export { uploaderOf } from './activity.service.ts'
export { retagActivity } from './activity.store.ts'
