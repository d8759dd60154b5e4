export * from './users.policy.ts'
export type { UserRow } from './users.schema.ts'
export * from './users.service.ts'
export { usersStore } from './users.store.ts'
