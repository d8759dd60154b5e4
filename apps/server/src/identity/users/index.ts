export { usersFeature } from './users.feature.ts'
export {
  localeByWire,
  localeOf,
  mailAccountOf,
  preferencesStore,
  rememberLanguage,
  type PreferencesRow,
} from './preferences.ts'
export * from './users.policy.ts'
export type { UserRow } from './users.schema.ts'
export * from './users.service.ts'
export { usersStore } from './users.store.ts'
