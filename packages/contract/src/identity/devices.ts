import { z } from 'zod'
import { upgradeFailure } from '../foundation/client-upgrades.ts'
import { defineRoute } from '../wire/route.ts'
import { listQuery, listReply } from './console-lists.ts'

/** A program that asks for a sign-in, in its own words. */
const program = {
  /** What people call the device, such as its host name. */
  name: z.string().trim().min(1).max(64),
  platform: z.string().trim().max(32).default(''),
  version: z.string().trim().max(20).default(''),
}

/** pending: nobody has decided yet. expired: too late, used up or never issued. */
export const DEVICE_LOGIN_STATES = ['pending', 'granted', 'denied', 'expired'] as const
export type DeviceLoginState = (typeof DEVICE_LOGIN_STATES)[number]

/** Letters of a user code: none that is mistaken for another, and no vowel, so that no word comes of it. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8

const userCode = z.string().trim().max(32)

const loginRequest = z.object({
  name: z.string(),
  platform: z.string(),
  version: z.string(),
  /** Where the program asked from. */
  address: z.string(),
  createdAt: z.int(),
  expiresAt: z.int(),
})
export type DeviceLoginRequest = z.infer<typeof loginRequest>

export const deviceLoginRoutes = {
  begin: defineRoute({
    method: 'POST',
    path: '/api/device-login',
    summary:
      'A program without a browser asks for a sign-in: it shows the user code, and asks for its token again and again',
    access: 'public',
    body: z.strictObject(program),
    reply: z.object({
      /** The secret of the program. */
      deviceCode: z.string(),
      /** Typed or confirmed by a person at `path`, such as `BCDF-GHJK`. */
      userCode: z.string(),
      /** Page of the portal that asks the person, with the code filled in. */
      path: z.string(),
      /** Seconds. */
      expiresIn: z.int(),
      /** Seconds between two questions. */
      interval: z.int(),
    }),
    errors: ['RATE_LIMITED'],
  }),
  token: defineRoute({
    method: 'POST',
    path: '/api/device-login/token',
    summary: 'What became of it; the token is given once',
    access: 'public',
    body: z.strictObject({ deviceCode: z.string().max(128) }),
    reply: z.object({
      state: z.enum(DEVICE_LOGIN_STATES),
      /** '' unless it is granted, like the account. */
      token: z.string(),
      account: z.string(),
    }),
    errors: ['RATE_LIMITED', 'API_TOKEN_LIMIT'],
  }),
  look: defineRoute({
    method: 'POST',
    path: '/api/user/device-login',
    summary: 'Which program asks with a user code',
    access: 'session',
    body: z.strictObject({ userCode }),
    reply: z.object({ request: loginRequest }),
    errors: ['DEVICE_CODE_INVALID', 'RATE_LIMITED'],
  }),
  decide: defineRoute({
    method: 'POST',
    path: '/api/user/device-login/decide',
    summary: 'Let a program work with the files of the account, or refuse it; the password is needed to let it in',
    access: 'session',
    body: z.strictObject({ userCode, isAllowed: z.boolean(), password: z.string().max(1024).default('') }),
    reply: z.object({}),
    errors: ['DEVICE_CODE_INVALID', 'OLD_PASSWORD_WRONG', 'ACCOUNT_LOCKED', 'RATE_LIMITED'],
  }),
  register: defineRoute({
    method: 'POST',
    path: '/api/user/device',
    summary: 'A client with an API token says which device it runs on; administrators see it in their list',
    access: 'user',
    body: z.strictObject(program),
    reply: z.object({}),
    errors: [],
  }),
  signOut: defineRoute({
    method: 'POST',
    path: '/api/user/device/sign-out',
    summary: 'Revoke the API token that makes this call; a session is left alone',
    access: 'user',
    body: z.strictObject({}),
    reply: z.object({ isSignedOut: z.boolean() }),
    errors: ['API_TOKEN_NOT_FOUND'],
  }),
} as const

const adminDevice = z.object({
  id: z.string(),
  userId: z.string(),
  account: z.string(),
  userName: z.string(),
  name: z.string(),
  platform: z.string(),
  version: z.string(),
  address: z.string(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
  /** Its client is connected now, or was less than a minute ago. */
  isConnected: z.boolean(),
  /** The upgrade of its client that did not come about last. */
  upgradeFailure: upgradeFailure.nullable(),
  /** What it transfers now, in both directions. */
  running: z.object({
    count: z.int(),
    bytesPerSecond: z.int(),
    /** The first transfers with their names, the newest first; none for a caller without `transfers.view`. */
    transfers: z.array(z.object({ transferId: z.string(), name: z.string() })),
  }),
})
export type AdminDevice = z.infer<typeof adminDevice>

export const adminDeviceRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/clients',
    summary: 'Devices with the transfer client, the one seen last first; with the scope `own` the caller’s',
    access: { right: 'clients.view' },
    query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
    reply: listReply(adminDevice),
    errors: [],
  }),
  signOut: defineRoute({
    method: 'POST',
    path: '/api/admin/clients/sign-out',
    summary:
      'Revoke the tokens of devices: their transfers end within seconds. Those of administrators by the super administrator alone',
    access: { right: 'sessions.end' },
    log: 'client.sign-out',
    body: z.strictObject({ deviceIds: z.array(z.string().max(64)).min(1).max(1000) }),
    reply: z.object({ ended: z.int() }),
    errors: ['SESSION_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
} as const
