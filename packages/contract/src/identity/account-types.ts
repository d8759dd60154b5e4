export const ACCOUNT_TYPE = {
  normal: 2,
  domain: 4,
  email: 5,
  linux: 6,
  external: 7,
  oidc: 8,
  saml: 9,
  scim: 10,
} as const
export type AccountType = (typeof ACCOUNT_TYPE)[keyof typeof ACCOUNT_TYPE]

/** Notification sender of an account: the system's, or one of its own, which the e-mail page sets up. */
export const EMAIL_SENDER = { system: 0, own: 1 } as const

/** Linux accounts have no group files. */
export function hasGroupFiles(type: AccountType): boolean {
  return type !== ACCOUNT_TYPE.linux
}

/**
 * Only an account of the normal type changes its own password, and only when the site allows it;
 * the others are managed at their origin.
 * @param userPwdSwitch 1 = allowed
 */
export function canChangePassword(type: AccountType, userPwdSwitch: number): boolean {
  return type === ACCOUNT_TYPE.normal && userPwdSwitch === 1
}

/** These have no password that could be asked again: they prove themselves by a new sign-in at their provider. */
export function hasPassword(type: AccountType): boolean {
  return type !== ACCOUNT_TYPE.oidc && type !== ACCOUNT_TYPE.saml
}

/** Whether name, e-mail and password are kept where the account comes from. */
export function isKeptElsewhere(type: AccountType): boolean {
  return type !== ACCOUNT_TYPE.normal
}

export const ACCOUNT_STATES = ['enabled', 'disabled', 'locked'] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]

export const LDAP_SERVER_TYPES = ['AD', 'OpenLdap'] as const
