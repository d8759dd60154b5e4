export { devicesFeature } from './devices.feature.ts'
