export { settingsFeature } from './settings.feature.ts'
export { jsonSchemaOf } from './settings.document.ts'
export type { SettingTarget } from './settings.policy.ts'
export { settingField } from './setting-field.ts'
export {
  createSettingsEditor,
  settingRegistry,
  type RegisteredSetting,
  type SettingRegistry,
  type SettingsEditor,
  type SettingsEditorDeps,
  type SettingView,
} from './settings.registry.ts'
export { createSettings, type Settings } from './settings.service.ts'
export * from './schemas.ts'
export { settingsStore } from './settings.store.ts'
export type { SettingHistoryRow } from './settings.schema.ts'
export { CLIENT_VERSION, PRODUCT_VERSION, PROTOCOL_VERSION } from './versions.ts'
