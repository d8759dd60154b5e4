export { mountsStore } from './mounts.store.ts'
export type { MountRow } from './mounts.schema.ts'
