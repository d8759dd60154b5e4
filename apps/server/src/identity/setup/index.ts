export { setupFeature } from './setup.feature.ts'
export { createFirstAdministrator, isSetupNeeded } from './setup.service.ts'
