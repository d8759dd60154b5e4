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
export { addressFault, coversAddress } from './address-list.policy.ts'
export { invitationsStore, type InvitationRow } from './invitations.store.ts'
export type { UserRow } from './users.schema.ts'
export * from './users.service.ts'
export { usersStore } from './users.store.ts'
export { usersSearch, type UserFilter, type UserPage } from './users.search.ts'
