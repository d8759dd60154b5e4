export {
  provisionedSearch,
  type AccountField,
  type Condition,
  type GroupField,
  type TextTest,
} from './provisioned.search.ts'
export { provisionedStore } from './provisioned.store.ts'
export type { ScimAccountRow, ScimGroupRow } from './provisioning.schema.ts'
