export { settingsFeature } from './settings.feature.ts'
export { jsonSchemaOf } from './settings.document.ts'
export type { SettingTarget } from './settings.policy.ts'
export {
  createSettingsEditor,
  settingRegistry,
  type SettingRegistry,
  type SettingsEditor,
} from './settings.registry.ts'
export { createSettings, type Settings } from './settings.service.ts'
export * from './schemas.ts'
export { CLIENT_VERSION, PRODUCT_VERSION, PROTOCOL_VERSION } from './versions.ts'
