export { spacesFeature } from './spaces.feature.ts'
export { addSpace, allSpaces, requireMember, setMember } from './spaces.service.ts'
