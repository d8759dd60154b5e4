export { licenceFeature } from './licence.feature.ts'
export { LICENCE_SETTINGS } from './licence.settings.ts'
