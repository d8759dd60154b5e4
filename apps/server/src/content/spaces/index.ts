export { spacesFeature } from './spaces.feature.ts'
export { addSpace, allSpaces, requireMember, setMember, spacesOf } from './spaces.service.ts'
export { TRANSFER_RULES } from './transfer-rules.settings.ts'
