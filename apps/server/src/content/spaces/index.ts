export { spacesEndpoints } from './spaces.routes.ts'
export { addSpace, allSpaces, requireMember, setMember } from './spaces.service.ts'
