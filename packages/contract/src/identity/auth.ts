import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { mailLanguage } from '../foundation/mail.ts'
import { defineRoute } from '../wire/route.ts'
import { groupEntry } from './groups.ts'
import { transferRules } from './transfer-rules.ts'

export const loginReply = z.object({
  token: z.string(),
  refresh_token: z.string(),
  userId: z.string(),
  protocol_version: z.string(),
  client_version: z.string(),
  account: z.string(),
  /** The device stores this and sends it at its next sign-in, so that others who lock the account do not lock this device out. */
  device: z.string(),
})
export type LoginReply = z.infer<typeof loginReply>

const spaceInfo = z.object({ id: z.int(), spaceName: z.string(), isDefault: z.boolean() })
export type SpaceInfo = z.infer<typeof spaceInfo>

/** How long a caller must wait for the next code, and how long this one is valid. The same for known and unknown accounts. */
export const sentCode = z.object({ resendAfterSeconds: z.int(), expiresInSeconds: z.int() })
export type SentCode = z.infer<typeof sentCode>

export const userInfo = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  accountType: z.int(),
  isAdmin: z.boolean(),
  /** Permission bit flags, with the two unused flags added to a non-empty set. */
  permission: z.int(),
  webEncryptedKey: z.string(),
  /** EMAIL_SENDER: whose mail server sends what this account sends. */
  emailSenderType: z.int(),
  /** Address of the account's own sender; '' without one. */
  emailAccount: z.string(),
  /** 1: notices come by e-mail as well. */
  noticeMailSwitch: z.int(),
  /** Bytes this user may keep; 0 = no limit. */
  quotaBytes: z.int(),
  /** Bytes kept and reserved by running uploads. */
  usedBytes: z.int(),
  ...transferRules,
  /** 0 browser and client, 1 client only, 2 browser only. */
  transferType: z.int().min(0).max(2),
  /** A download of more files by the browser asks first whether the client shall take it; 0 never asks. */
  clientPromptFiles: z.int(),
  /** 0: the server mails links to recipients; 1: the person does so with a mail program. */
  linkMailMode: z.int().min(0).max(1),
  /** Groups of the requested space, or of the current one. */
  groupList: z.array(groupEntry),
  spaceInfo: z.array(spaceInfo),
  /** 0 when the account has no space. */
  currentSpaceId: z.int(),
  /** Where the account works before it chooses, and its desktop client unless another is named; 0 without any. */
  defaultSpaceId: z.int(),
})
export type UserInfo = z.infer<typeof userInfo>

/**
 * Why a session ended, as reported by `session.ended` on the sockets:
 * - signed-out: by the user, in this session
 * - elsewhere: by the user, from another session
 * - idle: no activity for too long
 * - locked, removed, demoted: by an administrator
 * - password-changed: the password was changed, which ends the other sessions
 * - refresh-token-reused: a refresh token was used twice, so one of two holders stole it
 * - revoked: by the operator, for no other reason
 */
export const SESSION_ENDS = [
  'signed-out',
  'elsewhere',
  'idle',
  'locked',
  'removed',
  'demoted',
  'password-changed',
  'refresh-token-reused',
  'revoked',
] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]

export const authRoutes = {
  login: defineRoute({
    method: 'POST',
    path: '/api/user/login',
    summary: 'Sign in with account (or e-mail) and password',
    access: 'public',
    body: z.strictObject({
      account: z.string().max(256),
      /** base64 of UTF-8 */
      password: z.string().max(1024),
      emailCode: z.string().max(16).optional(),
      /** Six digits of the authenticator app, or a recovery code, once a reply has required it (5440). */
      secondFactor: z.string().max(32).optional(),
      /** Of the last sign-in from this device. */
      device: z.string().max(256).optional(),
    }),
    reply: loginReply,
    errors: [
      'LDAP_UNREACHABLE',
      'EXTERNAL_AUTH_UNREACHABLE',
      'AUTH_SERVICE_CERTIFICATE_INVALID',
      'AUTH_SERVICE_ANSWER_INVALID',
      'AUTH_SERVICE_OTHER_ACCOUNT',
      'AUTH_SERVICE_REFUSED',
      'AUTH_SERVICE_ACCEPTS_ANYBODY',
      'MAIL_LOGIN_UNREACHABLE',
      'MAIL_LOGIN_UNSUPPORTED',
      'SYSTEM_ACCOUNTS_UNREACHABLE',
      'PAM_SERVICE_MISSING',
      'ADDRESS_NOT_ALLOWED',
      'PASSWORD_WRONG',
      'ACCOUNT_LOCKED',
      'PASSWORD_RESET_REQUIRED',
      'EMAIL_CODE_REQUIRED',
      'EMAIL_CODE_WRONG',
      'EMAIL_CODE_EXPIRED',
      'EMAIL_MISSING',
      'SECOND_FACTOR_REQUIRED',
      'SECOND_FACTOR_WRONG',
      'SECOND_FACTOR_SETUP_REQUIRED',
      'RATE_LIMITED',
    ],
  }),
  refresh: defineRoute({
    method: 'PUT',
    path: '/api/user/auth',
    summary: 'Exchange the refresh token (as bearer) for a new pair; the old one is spent',
    access: 'public',
    reply: z.object({ token: z.string(), refresh_token: z.string() }),
    errors: ['TOKEN_INVALID'],
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/api/user/logout',
    summary: 'End this session; its sockets close',
    access: 'session',
    reply: z.object({
      /** Where the browser ends the session that it has with the identity provider; absent for other sign-ins. */
      leaveTo: z.string().optional(),
    }),
    errors: [],
  }),
  logoutEverywhere: defineRoute({
    method: 'POST',
    path: '/api/user/logout/all',
    summary: 'End every session of this account and revoke its running uploads and tickets',
    access: 'session',
    reply: z.object({ sessions: z.int() }),
    errors: [],
  }),
  spaces: defineRoute({
    method: 'GET',
    path: '/api/user/space',
    summary: 'The spaces this account may use',
    access: 'user',
    reply: z.object({ result: z.array(spaceInfo) }),
    errors: [],
  }),
  info: defineRoute({
    method: 'GET',
    path: '/api/user/info',
    summary: 'The signed-in account, with its permission in the given space',
    access: 'user',
    query: z.object({ spaceId: z.coerce.number().int().optional() }),
    reply: z.object({ user: userInfo }),
    errors: ['NO_SPACE'],
  }),
  chooseSpace: defineRoute({
    method: 'PUT',
    path: '/api/user/space',
    summary: 'Remember the space this account works in',
    access: 'session',
    body: z.strictObject({ spaceId: z.int().min(1) }),
    reply: z.object({ currentSpaceId: z.int() }),
    errors: ['NO_SPACE'],
  }),
  changePassword: defineRoute({
    method: 'PUT',
    path: '/api/user/password/update',
    summary: 'Change the own password; every session of the account ends, every API token dies',
    access: 'session',
    body: z.strictObject({ oldPassword: z.string().max(1024), newPassword: z.string().max(1024) }),
    reply: z.object({}),
    errors: ['OLD_PASSWORD_WRONG', 'ACCOUNT_LOCKED', 'PASSWORD_WEAK', 'PASSWORD_CHANGE_NOT_ALLOWED'],
  }),
  firstLogin: defineRoute({
    method: 'POST',
    path: '/api/user/password/firstLogin/update',
    summary: 'Set a new password in place of one that must be changed before the first sign-in',
    access: 'public',
    body: z.strictObject({
      account: z.string().max(256),
      oldPassword: z.string().max(1024),
      newPassword: z.string().max(1024),
    }),
    reply: z.object({}),
    errors: ['PASSWORD_WRONG', 'ACCOUNT_LOCKED', 'PASSWORD_WEAK'],
  }),
  emailVerification: defineRoute({
    method: 'POST',
    path: '/api/user/emailVerification',
    summary: 'Send the e-mail code that a sign-in requires (4132); an unknown account gets the same reply',
    access: 'public',
    body: z.strictObject({ account: z.string().max(256), language: mailLanguage }),
    reply: sentCode,
    errors: ['SYSTEM_MAIL_NOT_CONFIGURED', 'RATE_LIMITED'],
  }),
  updateInfo: defineRoute({
    method: 'POST',
    path: '/api/user/info/update',
    summary: 'Change the own e-mail address and preferences; the account name stays',
    access: 'session',
    body: z.strictObject({
      email: z.string().max(256).optional(),
      /** base64 of UTF-8; required with another e-mail address. */
      password: z.string().max(1024).optional(),
      name: z.string().min(1).max(32, inputCode('NAME_TOO_LONG')).optional(),
      noticeMailSwitch: z.union([z.literal(0), z.literal(1)]).optional(),
      /** Language of mails to this account. */
      language: mailLanguage.optional(),
    }),
    reply: z.object({}),
    errors: [
      'ACCOUNT_MANAGED_ELSEWHERE',
      'EMAIL_INVALID',
      'EMAIL_EXISTS',
      'OLD_PASSWORD_WRONG',
      'ACCOUNT_LOCKED',
      'PERMISSION_DENIED',
    ],
  }),
  legacy: defineRoute({
    method: 'POST',
    path: '/api/legacy',
    summary: 'Account of an e-mail address before the sign-in; an unknown one is answered alike',
    access: 'public',
    body: z.strictObject({ action: z.literal('get_account'), email: z.string().max(256) }),
    /** `result` 0 is ok. `account` is what to sign in with. */
    reply: z.object({ result: z.int(), account: z.string() }),
    errors: ['RATE_LIMITED'],
  }),
  resetSend: defineRoute({
    method: 'POST',
    path: '/api/user/reset/password',
    summary: 'Forgot password, step 1: send a code; an unknown address is answered alike',
    access: 'public',
    body: z.strictObject({ email: z.string().max(256), language: mailLanguage }),
    reply: sentCode,
    errors: ['PASSWORD_RESET_DISABLED', 'SYSTEM_MAIL_NOT_CONFIGURED', 'EMAIL_INVALID', 'RATE_LIMITED'],
  }),
  resetVerify: defineRoute({
    method: 'GET',
    path: '/api/user/reset/password',
    summary: 'Forgot password, step 2: the code gives a `passToken`, once',
    access: 'public',
    query: z.strictObject({ email: z.string().max(256), code: z.string().max(16) }),
    reply: z.object({ passToken: z.string() }),
    errors: ['PASSWORD_RESET_DISABLED', 'EMAIL_CODE_WRONG', 'EMAIL_CODE_EXPIRED', 'RATE_LIMITED'],
  }),
  resetSet: defineRoute({
    method: 'PUT',
    path: '/api/user/reset/password',
    summary: 'Forgot password, step 3: the new password; every session of the account ends',
    access: 'public',
    body: z.strictObject({
      /** base64 of UTF-8 */
      password: z.string().max(1024),
      passToken: z.string().max(200),
    }),
    reply: z.object({}),
    errors: ['PASSWORD_RESET_DISABLED', 'RESET_TOKEN_INVALID', 'PASSWORD_WEAK', 'RATE_LIMITED'],
  }),
  openInvitation: defineRoute({
    method: 'POST',
    path: '/api/user/invitation',
    summary: 'Whose link an invitation is; looking at it uses nothing up',
    access: 'public',
    body: z.strictObject({ token: z.string().max(200) }),
    reply: z.object({ account: z.string(), name: z.string() }),
    errors: ['INVITATION_INVALID', 'RATE_LIMITED'],
  }),
  acceptInvitation: defineRoute({
    method: 'POST',
    path: '/api/user/invitation/accept',
    summary: 'Choose the password of an invited account and sign in; the link works once',
    access: 'public',
    body: z.strictObject({
      token: z.string().max(200),
      /** base64 of UTF-8 */
      password: z.string().max(1024),
    }),
    reply: loginReply,
    errors: [
      'INVITATION_INVALID',
      'PASSWORD_WEAK',
      'ADDRESS_NOT_ALLOWED',
      'SECOND_FACTOR_SETUP_REQUIRED',
      'RATE_LIMITED',
    ],
  }),
}
