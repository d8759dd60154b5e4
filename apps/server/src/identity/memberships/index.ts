export { membershipsStore } from './memberships.store.ts'
export { spaceRulesStore } from './space-rules.store.ts'
export type { SpaceRulesTable } from './memberships.schema.ts'
