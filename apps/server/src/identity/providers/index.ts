export { externalStore } from './external.store.ts'
export { takeLocksOver } from './locks.ts'
export type { Checked, PasswordSource } from './provider.types.ts'
export { accountOfLogin, fieldsOf } from './people.policy.ts'
export { listProviders, testProvider } from './providers.admin.ts'
export { providersFeature } from './providers.feature.ts'
export type { SyncRow } from './providers.schema.ts'
export type { Elsewhere } from './sign-in.service.ts'
export { requestSync, type SyncDeps } from './sync.service.ts'
export { syncsStore } from './syncs.store.ts'
export { keepSession } from './sign-on.sessions.ts'
export {
  beginSignOn,
  finishSignOn,
  keepPosted,
  listSignOns,
  sessionsEndedBy,
  signedOutBy,
  type SignOnDeps,
} from './sign-on.service.ts'
export { writeMetadata } from './saml/saml.metadata.ts'
export { MESSAGE_MAX_BYTES } from './saml/saml.policy.ts'
export { serviceOf } from './saml/saml.provider.ts'
export { samlSigner } from './saml/saml.signer.ts'
