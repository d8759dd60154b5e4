export { accountSpeedsFeature } from './account-speeds.feature.ts'
export type { AccountSpeeds } from './account-speeds.ts'
export { createPaceBucket, everyPace, paceUntil, type Pace } from './pace.ts'
export { SPEED_SETTINGS } from './speed.settings.ts'
