export { noticesFeature } from './notices.feature.ts'
export type { Notices } from './notices.service.ts'
