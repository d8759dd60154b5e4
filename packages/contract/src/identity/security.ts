import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { loginReply } from './auth.ts'
import { SECURITY_LIMITS } from './security-limits.ts'

/** An account's own security: sessions, sign-in history, second factor, passkeys, API tokens. Times are Unix milliseconds. */

const sessionView = z.object({
  id: z.string(),
  /** The session that makes this call. */
  current: z.boolean(),
  address: z.string(),
  /** The browser or program, as it identifies itself; show it as plain text. */
  userAgent: z.string(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
})
export type SessionView = z.infer<typeof sessionView>

export const SIGN_IN_METHODS = ['password', 'second-factor', 'passkey', 'sign-on'] as const
/** `refused`: the password was right, but something else such as a lock prevented the sign-in. */
export const SIGN_IN_RESULTS = ['success', 'wrong-password', 'wrong-second-factor', 'refused'] as const

const signInView = z.object({
  id: z.string(),
  at: z.int(),
  address: z.string(),
  userAgent: z.string(),
  method: z.enum(SIGN_IN_METHODS),
  result: z.enum(SIGN_IN_RESULTS),
})
export type SignInView = z.infer<typeof signInView>

const passkeyView = z.object({ id: z.string(), name: z.string(), createdAt: z.int(), lastUsedAt: z.int().nullable() })
export type PasskeyView = z.infer<typeof passkeyView>

const apiTokenView = z.object({
  id: z.string(),
  name: z.string(),
  /** Permission bit flags as on the wire; the token never has more permissions than its account. */
  permission: z.int(),
  createdAt: z.int(),
  expiresAt: z.int(),
  lastUsedAt: z.int().nullable(),
})
export type ApiTokenView = z.infer<typeof apiTokenView>

/** base64 of UTF-8; required again before a change of sign-in methods. */
const password = z.string().max(1024)
const name = z.string().trim().min(1).max(SECURITY_LIMITS.nameMax)
/** Six digits of the app, or a recovery code. */
const secondFactor = z.string().max(32)
/** What a sign-in that was refused with 5458 gives, valid for ten minutes. */
const ticket = z.string().max(256)
const totpSecret = z.object({
  /** Base32, to type in. */
  secret: z.string(),
  /** otpauth:// address, to draw as a QR code. */
  uri: z.string(),
})
const id = z.string().max(64)
const done = z.object({})
const proofErrors = ['OLD_PASSWORD_WRONG', 'ACCOUNT_LOCKED'] as const
/** As the browser's WebAuthn API expects and returns it; compatible with @simplewebauthn/browser. */
const webauthn = z.record(z.string(), z.unknown())

export const securityRoutes = {
  sessions: defineRoute({
    method: 'GET',
    path: '/api/user/sessions',
    summary: 'Where this account is signed in',
    access: 'session',
    reply: z.object({ sessions: z.array(sessionView) }),
    errors: [],
  }),
  endSession: defineRoute({
    method: 'POST',
    path: '/api/user/sessions/end',
    summary: 'End one other session; its pages are notified',
    access: 'session',
    body: z.strictObject({ sessionId: id }),
    reply: done,
    errors: ['SESSION_NOT_FOUND'],
  }),
  endOtherSessions: defineRoute({
    method: 'POST',
    path: '/api/user/sessions/end-others',
    summary: 'Sign every place but this one out',
    access: 'session',
    body: z.strictObject({}),
    reply: z.object({ sessions: z.int() }),
    errors: [],
  }),
  signIns: defineRoute({
    method: 'GET',
    path: '/api/user/sign-ins',
    summary: 'Sign-ins to this account of the last 90 days, newest first',
    access: 'session',
    query: z.object({
      pageNum: z.coerce.number().int().min(1).max(10_000).default(1),
      pageSize: z.coerce.number().int().min(1).max(50).default(10),
    }),
    reply: z.object({ result: z.array(signInView), total: z.int(), size: z.int(), current: z.int() }),
    errors: [],
  }),
  secondFactor: defineRoute({
    method: 'GET',
    path: '/api/user/second-factor',
    summary: 'Whether a second factor is required at sign-in',
    access: 'session',
    reply: z.object({
      totp: z.boolean(),
      /** The site or the role demands it: it is set up at the next sign-in, and not removed. */
      required: z.boolean(),
      recoveryCodesLeft: z.int(),
      passkeys: z.int(),
    }),
    errors: [],
  }),
  beginTotp: defineRoute({
    method: 'POST',
    path: '/api/user/second-factor/begin',
    summary: 'A new secret for an authenticator app; nothing changes until a code of it was shown',
    access: 'session',
    body: z.strictObject({ password }),
    reply: totpSecret,
    errors: [...proofErrors, 'SECOND_FACTOR_ON'],
  }),
  confirmTotp: defineRoute({
    method: 'POST',
    path: '/api/user/second-factor/confirm',
    summary: 'Switch the second factor on with a code of the new secret; the recovery codes are shown this once',
    access: 'session',
    body: z.strictObject({ code: secondFactor }),
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['SECOND_FACTOR_WRONG', 'SECOND_FACTOR_ON', 'ACCOUNT_LOCKED'],
  }),
  beginTotpSetUp: defineRoute({
    method: 'POST',
    path: '/api/user/second-factor/set-up/begin',
    summary: 'A new secret for an account that has to set up a second factor before it is signed in (5458)',
    access: 'public',
    body: z.strictObject({ setUp: ticket }),
    reply: totpSecret,
    errors: ['SIGN_IN_AGAIN', 'RATE_LIMITED'],
  }),
  setUpTotp: defineRoute({
    method: 'POST',
    path: '/api/user/second-factor/set-up',
    summary:
      'Switch the second factor on with a code of that secret and sign in; the recovery codes are shown this once',
    access: 'public',
    body: z.strictObject({ setUp: ticket, code: secondFactor }),
    reply: loginReply.extend({ recoveryCodes: z.array(z.string()) }),
    errors: ['SIGN_IN_AGAIN', 'SECOND_FACTOR_WRONG', 'ACCOUNT_LOCKED', 'ADDRESS_NOT_ALLOWED', 'RATE_LIMITED'],
  }),
  removeTotp: defineRoute({
    method: 'POST',
    path: '/api/user/second-factor/remove',
    summary: 'Switch the second factor off',
    access: 'session',
    body: z.strictObject({ password, code: secondFactor }),
    reply: done,
    errors: [...proofErrors, 'SECOND_FACTOR_WRONG', 'SECOND_FACTOR_KEPT'],
  }),
  renewRecoveryCodes: defineRoute({
    method: 'POST',
    path: '/api/user/second-factor/recovery-codes',
    summary: 'New recovery codes in place of the old ones, shown this once',
    access: 'session',
    body: z.strictObject({ password, code: secondFactor }),
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: [...proofErrors, 'SECOND_FACTOR_WRONG'],
  }),
  passkeys: defineRoute({
    method: 'GET',
    path: '/api/user/passkeys',
    summary: 'Passkeys of this account',
    access: 'session',
    reply: z.object({ passkeys: z.array(passkeyView) }),
    errors: [],
  }),
  beginPasskey: defineRoute({
    method: 'POST',
    path: '/api/user/passkeys/begin',
    summary: 'Options for `navigator.credentials.create`; valid for five minutes',
    access: 'session',
    body: z.strictObject({ password }),
    reply: z.object({ options: webauthn }),
    errors: [...proofErrors, 'PASSKEY_UNAVAILABLE', 'PASSKEY_LIMIT'],
  }),
  finishPasskey: defineRoute({
    method: 'POST',
    path: '/api/user/passkeys/finish',
    summary: 'Keep the new passkey under a name',
    access: 'session',
    body: z.strictObject({ name, response: webauthn }),
    reply: z.object({ passkey: passkeyView }),
    errors: ['PASSKEY_REFUSED', 'PASSKEY_LIMIT'],
  }),
  renamePasskey: defineRoute({
    method: 'POST',
    path: '/api/user/passkeys/rename',
    summary: 'Give a passkey another name',
    access: 'session',
    body: z.strictObject({ passkeyId: id, name }),
    reply: done,
    errors: ['PASSKEY_NOT_FOUND'],
  }),
  removePasskey: defineRoute({
    method: 'POST',
    path: '/api/user/passkeys/remove',
    summary: 'Forget a passkey',
    access: 'session',
    body: z.strictObject({ passkeyId: id, password }),
    reply: done,
    errors: [...proofErrors, 'PASSKEY_NOT_FOUND'],
  }),
  beginPasskeyLogin: defineRoute({
    method: 'POST',
    path: '/api/user/passkeys/login/begin',
    summary: 'Options for `navigator.credentials.get`; they name no account',
    access: 'public',
    body: z.strictObject({}),
    reply: z.object({ challengeId: z.string(), options: webauthn }),
    errors: ['PASSKEY_UNAVAILABLE', 'RATE_LIMITED'],
  }),
  finishPasskeyLogin: defineRoute({
    method: 'POST',
    path: '/api/user/passkeys/login/finish',
    summary: 'Sign in with a passkey, without password or second factor',
    access: 'public',
    body: z.strictObject({ challengeId: id, response: webauthn }),
    reply: loginReply,
    errors: ['PASSKEY_REFUSED', 'ACCOUNT_LOCKED', 'PASSWORD_RESET_REQUIRED'],
  }),
  apiTokens: defineRoute({
    method: 'GET',
    path: '/api/user/api-tokens',
    summary: 'API tokens of this account, without their secrets',
    access: 'session',
    reply: z.object({ tokens: z.array(apiTokenView) }),
    errors: [],
  }),
  createApiToken: defineRoute({
    method: 'POST',
    path: '/api/user/api-tokens',
    summary: 'A bearer token for programs, shown this once; it may work with files and never manage the account',
    access: 'session',
    body: z.strictObject({
      name,
      permission: z.int().min(1).max(8191),
      days: z.int().min(1).max(SECURITY_LIMITS.apiTokenDaysMax),
      password,
    }),
    reply: z.object({ token: z.string(), apiToken: apiTokenView }),
    errors: [...proofErrors, 'API_TOKEN_LIMIT', 'PERMISSION_DENIED'],
  }),
  removeApiToken: defineRoute({
    method: 'POST',
    path: '/api/user/api-tokens/remove',
    summary: 'Revoke an API token at once',
    access: 'session',
    body: z.strictObject({ tokenId: id }),
    reply: done,
    errors: ['API_TOKEN_NOT_FOUND'],
  }),
} as const
