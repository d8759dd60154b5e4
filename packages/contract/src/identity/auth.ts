import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

export const loginReply = z.object({
  token: z.string(),
  refresh_token: z.string(),
  userId: z.string(),
  protocol_version: z.string(),
  client_version: z.string(),
  account: z.string(),
})
export type LoginReply = z.infer<typeof loginReply>

const spaceInfo = z.object({ id: z.int(), spaceName: z.string(), isDefault: z.boolean() })
export type SpaceInfo = z.infer<typeof spaceInfo>

const transferSettings = {
  forbidClientFilterSwitch: z.int(),
  transIgnoreRegSwitch: z.int(),
  /** Patterns, separated by semicolons. */
  transIgnoreReg: z.string(),
  transIgnoreSizeSwitch: z.int(),
  /** MB. */
  transIgnoreSize: z.int(),
  transSyncSwitch: z.int(),
  transSyncTriggeringCondition: z.int(),
}

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
  emailSenderType: z.int(),
  emailAccount: z.string(),
  /** Bytes this user may keep; 0 = no limit. */
  quotaBytes: z.int(),
  /** Bytes kept and reserved by running uploads. */
  usedBytes: z.int(),
  ...transferSettings,
  groupList: z.array(z.object({ groupId: z.int(), groupName: z.string(), ...transferSettings })),
  spaceInfo: z.array(spaceInfo),
  currentSpaceId: z.int(),
})
export type UserInfo = z.infer<typeof userInfo>

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
    }),
    reply: loginReply,
    errors: ['PASSWORD_WRONG', 'ACCOUNT_LOCKED', 'PASSWORD_RESET_REQUIRED', 'EMAIL_CODE_REQUIRED', 'RATE_LIMITED'],
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
    access: 'user',
    reply: z.object({}),
    errors: [],
  }),
  logoutEverywhere: defineRoute({
    method: 'POST',
    path: '/api/user/logout/all',
    summary: 'End every session of this account and revoke its running uploads and tickets',
    access: 'user',
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
  changePassword: defineRoute({
    method: 'PUT',
    path: '/api/user/password/update',
    summary: 'Change the own password; every session of the account ends',
    access: 'user',
    body: z.strictObject({ oldPassword: z.string().max(1024), newPassword: z.string().max(1024) }),
    reply: z.object({}),
    errors: ['OLD_PASSWORD_WRONG', 'PASSWORD_WEAK', 'PERMISSION_DENIED'],
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
}
