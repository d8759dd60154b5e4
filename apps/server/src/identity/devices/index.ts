export { devicesFeature } from './devices.feature.ts'
export { isSignedInDevice } from './device-logins.service.ts'
