export { consoleSettingsFeature } from './console-settings.feature.ts'
