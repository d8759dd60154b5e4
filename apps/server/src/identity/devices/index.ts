export { listDevices } from './devices.routes.ts'
export { devicesFeature } from './devices.feature.ts'
export { type ConnectedDevices, createConnectedDevices } from './connected-device.ts'
