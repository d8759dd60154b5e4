export { membershipsStore } from './memberships.store.ts'
