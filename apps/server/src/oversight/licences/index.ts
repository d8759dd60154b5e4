export { licencesFeature } from './licences.feature.ts'
export { licenceStatus } from './licences.present.ts'
