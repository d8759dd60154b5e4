export { groupHome } from './group-place.ts'
export { groupsFeature } from './groups.feature.ts'
