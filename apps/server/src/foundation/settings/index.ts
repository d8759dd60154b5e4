export { settingsFeature } from './settings.feature.ts'
export { createSettings, type Settings } from './settings.service.ts'
export { CLIENT_VERSION, PRODUCT_VERSION, PROTOCOL_VERSION } from './versions.ts'
