export type { RoleRow } from './administrators.schema.ts'
export { administratorsStore, rolesStore } from './administrators.store.ts'
export { loadStanding, rightsOf, scopeOf } from './load-standing.ts'
export { mayCall, mayIn, type Standing } from './standing.policy.ts'
