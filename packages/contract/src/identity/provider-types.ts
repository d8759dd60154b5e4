/** Where people may prove who they are besides the server itself: by their password, or `oidc` and `saml` at a page of the provider. */
export const PROVIDER_KINDS = ['ldap', 'oidc', 'saml', 'http', 'email', 'unix'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** How the connection to a directory is encrypted. */
export const LDAP_ENCRYPTIONS = ['starttls', 'ldaps', 'none'] as const
export type LdapEncryption = (typeof LDAP_ENCRYPTIONS)[number]

/** How the connection to a mail server is encrypted: a password never goes there in the clear. */
export const MAIL_LOGIN_ENCRYPTIONS = ['starttls', 'tls'] as const
export type MailLoginEncryption = (typeof MAIL_LOGIN_ENCRYPTIONS)[number]

/** How a service knows that this server asks: a signature made with the secret, or the secret itself. */
export const HTTP_PROOFS = ['signature', 'bearer'] as const
export type HttpProof = (typeof HTTP_PROOFS)[number]

/** Parts of a test, in the order in which they are tried. */
export const PROVIDER_TEST_STEPS = [
  ...['connect', 'tls', 'bind', 'search', 'account', 'password'],
  ...['discover', 'keys', 'client'],
  ...['answer', 'service', 'refusal'],
] as const
export type ProviderTestStep = (typeof PROVIDER_TEST_STEPS)[number]

export const DIRECTORY_SYNC_STATES = ['queued', 'running', 'done', 'failed'] as const
export type DirectorySyncState = (typeof DIRECTORY_SYNC_STATES)[number]
/** What a synchronization does to an account; `skip`: the directory has somebody who cannot have one, with the reason. */
export const DIRECTORY_CHANGES = ['add', 'change', 'lock', 'unlock', 'skip'] as const
export type DirectoryChange = (typeof DIRECTORY_CHANGES)[number]

/** Where an identity management finds the site. */
export const SCIM_PATH = '/scim/v2'
/** By which the token of the connection is told from other credentials. */
export const SCIM_TOKEN_PREFIX = 'gds_'

/**
 * How people of new accounts sign in: at a provider under the name that they have there, or with a password of their own that an
 * invitation by e-mail leads to.
 */
export const SCIM_NEW_ACCOUNTS = ['provider', 'invitation'] as const
export type ScimNewAccounts = (typeof SCIM_NEW_ACCOUNTS)[number]
