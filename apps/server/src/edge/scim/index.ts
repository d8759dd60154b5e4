export { scimFeature } from './scim.feature.ts'
