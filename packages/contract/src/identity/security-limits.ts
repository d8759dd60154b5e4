export const SECURITY_LIMITS = {
  /** Digits of a code of the authenticator app, and how long each is valid. */
  totpDigits: 6,
  totpPeriodMs: 30_000,
  recoveryCodes: 10,
  passkeysMax: 10,
  apiTokensMax: 20,
  apiTokenDaysMax: 365,
  nameMax: 64,
  signInsKeptMs: 90 * 24 * 3_600_000,
} as const

/** How every API token begins, so that scanners find one that leaked. */
export const API_TOKEN_PREFIX = 'gwt_'
