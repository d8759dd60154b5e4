import { z } from 'zod'
import { place, userPath } from '../content/paths.ts'
import { CLIENT_PACKAGES } from '../foundation/client-packages.ts'
import { UPGRADE_REFUSALS, upgradeFailure, upgradeReport } from '../foundation/client-upgrades.ts'
import { isVersion } from '../foundation/versions.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { signedRelease } from './client-release.ts'
import { SYNC_DIRECTIONS } from './task-states.ts'

/**
 * State of the account's desktop client, as pages see it:
 * - none: no client is connected
 * - starting: it is connected and not ready yet
 * - connected: ready
 * - update-available: ready, and a newer one exists
 * - outdated: older than the server allows; it accepts only the upgrade command
 */
export const CLIENT_STATES = ['none', 'starting', 'connected', 'update-available', 'outdated'] as const
export type ClientState = (typeof CLIENT_STATES)[number]

export const CLIENT_PLATFORMS = ['windows', 'macos', 'linux'] as const

/**
 * What became of a transfer that a page handed to the client:
 * - queued: it is in the queue of the client, which survives its restart; a folder to be kept in sync is in its list
 * - asking: the client asks the person at its computer which files are meant
 * - cannot-ask: the computer of the client shows no dialogs
 * - not-allowed: nobody at that computer has let pages send from this path, or write into it
 * - not-found: there is nothing at this path
 * - loop: a folder that is kept in sync the other way is in this one, or around it
 * - refused: the client does not know the command as it came, or its queue is full
 */
export const CLIENT_OUTCOMES = [
  'queued',
  'asking',
  'cannot-ask',
  'not-allowed',
  'not-found',
  'loop',
  'refused',
] as const
export type ClientOutcome = (typeof CLIENT_OUTCOMES)[number]

/** What a dialog of the client is to choose. */
export const CLIENT_PICKS = ['files', 'folder'] as const
export type ClientPick = (typeof CLIENT_PICKS)[number]

/** `upload` brings what is new on a computer to the server, `download` the other way. */
export const syncDirection = z.enum(SYNC_DIRECTIONS).exclude(['twoWay'])
export type SyncDirection = z.infer<typeof syncDirection>

export const clientView = z.object({
  state: z.enum(CLIENT_STATES),
  /** '' when none is connected, like the fields after it. */
  version: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  platform: z.string(),
  /** The space it works in; 0 when none is connected. */
  spaceId: z.int(),
  /** Whether it is new enough to change to a space other than the first. */
  canChangeSpace: z.boolean(),
  /** Whether it can ask the person at its computer which files are meant. */
  canAsk: z.boolean(),
  /** The version that older clients are offered. */
  upgradeVersion: z.string(),
  /** The upgrade that did not come about last; null: nothing is wrong. */
  upgradeFailure: upgradeFailure.nullable(),
})
export type ClientView = z.infer<typeof clientView>

/** Whether the client carried out the command. */
const confirmed = z.object({ success: z.boolean() })

const id = z.int().min(0)
const spaceId = z.int().min(1)

/**
 * `/ws/client`, from client to server: JSON text frames. The client opens the connection, sends `hello` with a credential and
 * stays connected; pages control it through the server. Requests carry an `id` that the answer repeats.
 */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    id,
    /** A session token, or user id and password derived from it (`transferPassword`). */
    token: z.string().max(200).optional(),
    username: z.string().max(256).optional(),
    password: z.string().max(1024).optional(),
    version: z.string().max(20).refine(isVersion),
    platform: z.enum(CLIENT_PLATFORMS),
    deviceId: z.string().regex(/^[\w-]{8,64}$/),
    deviceName: z.string().max(128).default(''),
    spaceId: spaceId.default(LIMITS.defaultSpaceId),
    /** False while its engine starts; a `status` follows. */
    ready: z.boolean().default(true),
    /** Whether it can show a dialog to choose files. */
    canAsk: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal('status'), id, ready: z.boolean(), spaceId: spaceId.optional() }),
  /** The answer to a command. */
  z.strictObject({
    type: z.literal('done'),
    id,
    success: z.boolean(),
    /** Of a transfer. */
    outcome: z.enum(CLIENT_OUTCOMES).optional(),
    /** Of an upgrade that does not begin. */
    refusal: z.enum(UPGRADE_REFUSALS).optional(),
  }),
  /** What became of its last upgrade, with every connection and with every change; null: nothing is wrong. */
  z.strictObject({ type: z.literal('upgrade'), id, failure: upgradeReport.nullable() }),
  z.strictObject({ type: z.literal('ping'), id }),
])
export type ClientMessage = z.input<typeof clientMessage>

/** Of a path on the computer of a client; long enough for every system. */
const LOCAL_PATH_MAX = 4_096
const LOCAL_PATHS_MAX = 20
const groupId = z.int().min(0)

/** Files of the client's computer for a folder of the server. */
const clientUpload = z.object({
  spaceId,
  groupId,
  folder: userPath,
  /** Paths on that computer; without any the client asks. */
  paths: z.array(z.string().min(1).max(LOCAL_PATH_MAX)).max(LOCAL_PATHS_MAX).readonly(),
  pick: z.enum(CLIENT_PICKS),
})
export type ClientUpload = z.infer<typeof clientUpload>

/** Files of the server for the download folder of the client. */
const clientDownload = z.object({
  spaceId,
  groupId,
  paths: z.array(userPath).min(1).max(LIMITS.pathsPerCall).readonly(),
})
export type ClientDownload = z.infer<typeof clientDownload>

/** A folder of the client's computer and one of the server: what is new or changed in one goes into the other from now on. */
const clientSync = z.object({
  /** Older servers know one alone, and do not name it. */
  direction: syncDirection.default('upload'),
  spaceId,
  groupId,
  folder: userPath,
  /** On that computer; '': the client asks. */
  path: z.string().max(LOCAL_PATH_MAX),
  /** How long a file must not have changed before it goes. */
  restMs: z.int().min(0),
})
export type ClientSync = z.infer<typeof clientSync>

/** Commands of the server; the client answers each with `done`. A newer server may say more, which is left out. */
const clientCommand = z.discriminatedUnion('name', [
  z.object({ name: z.literal('setSpace'), spaceId }),
  z.object({
    name: z.literal('upgrade'),
    version: z.string().max(20).refine(isVersion),
    /** The site wants it, and nobody pressed a button. */
    isAuto: z.boolean().default(false),
  }),
  z.object({ name: z.literal('upload'), ...clientUpload.shape }),
  z.object({ name: z.literal('download'), ...clientDownload.shape }),
  z.object({ name: z.literal('sync'), ...clientSync.shape }),
])
export type ClientCommand = z.infer<typeof clientCommand>

/** `/ws/client`, from server to client. */
export type ClientServerMessage =
  | { readonly type: 'answer'; readonly id: number; readonly code: 200; readonly data: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly code: number; readonly message: string }
  | { readonly type: 'command'; readonly id: number; readonly command: ClientCommand }
  | { readonly type: 'event'; readonly event: 'session.ended'; readonly reason: string }

/** Longer reasons are none that people read. */
const REASON_MAX = 4_096

/** The same as a client reads it: a server may be another one than it says. */
export const clientServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('answer'),
    id,
    code: z.int(),
    data: z.unknown().optional(),
    message: z.string().max(REASON_MAX).default(''),
  }),
  /** null: a command that this client does not know, or that is not as it should be. */
  z.object({ type: z.literal('command'), id, command: clientCommand.nullable().catch(null) }),
  z.object({ type: z.literal('event'), event: z.literal('session.ended'), reason: z.string().max(REASON_MAX) }),
])

/** Close code when the edition allows no further client. */
export const CLIENT_SOCKET_FULL = 4429

const clientErrors = ['CLIENT_NOT_CONNECTED', 'CLIENT_TOO_OLD', 'TRANSFER_CLIENT_TIMEOUT'] as const

const outcome = z.object({ outcome: z.enum(CLIENT_OUTCOMES) })
const transferErrors = [
  ...clientErrors,
  'PERMISSION_DENIED',
  'PATH_NOT_FOUND',
  'CLIENT_TRANSFER_NOT_ALLOWED',
  'RATE_LIMITED',
] as const

export const clientRoutes = {
  mine: defineRoute({
    method: 'GET',
    path: '/api/user/client',
    summary: "State of the account's desktop client; the file socket reports changes as `client.changed`",
    access: 'user',
    reply: z.object({ client: clientView }),
    errors: [],
  }),
  setSpace: defineRoute({
    method: 'POST',
    path: '/api/user/client/space',
    summary: 'Tell the desktop client to work in a space, and wait until it says whether it does',
    access: 'session',
    body: z.strictObject({ spaceId }),
    reply: confirmed,
    errors: [...clientErrors, 'CLIENT_SPACE_UNSUPPORTED', 'NO_SPACE'],
  }),
  upgrade: defineRoute({
    method: 'POST',
    path: '/api/user/client/upgrade',
    summary: 'Tell the desktop client to upgrade itself; also an outdated one obeys',
    access: 'session',
    body: z.strictObject({}),
    reply: confirmed,
    errors: [
      'CLIENT_NOT_CONNECTED',
      'TRANSFER_CLIENT_TIMEOUT',
      'CLIENT_UPGRADE_FAILED',
      'CLIENT_UPGRADE_BY_HAND',
      'CLIENT_UPGRADE_UNTRUSTED',
      'CLIENT_UPGRADE_NOT_NEWER',
    ],
  }),
  release: defineRoute({
    method: 'GET',
    path: '/api/user/client/release',
    summary: 'The newest release of the desktop client as its makers signed it',
    access: 'user',
    reply: signedRelease,
    errors: ['CLIENT_PACKAGE_MISSING'],
  }),
  upload: defineRoute({
    method: 'POST',
    path: '/api/user/client/upload',
    summary: 'Let the desktop client send files of its computer into a folder; it asks which, or takes the paths given',
    access: 'session',
    body: z.strictObject({
      ...place,
      /** Must exist. */
      folder: userPath,
      paths: z.array(z.string().min(1).max(LOCAL_PATH_MAX)).max(LOCAL_PATHS_MAX).default([]),
      pick: z.enum(CLIENT_PICKS).default('files'),
    }),
    reply: outcome,
    errors: transferErrors,
  }),
  download: defineRoute({
    method: 'POST',
    path: '/api/user/client/download',
    summary: 'Let the desktop client fetch files and folders into its download folder',
    access: 'session',
    body: z.strictObject({ ...place, paths: z.array(userPath).min(1).max(LIMITS.pathsPerCall) }),
    reply: outcome,
    errors: transferErrors,
  }),
  sync: defineRoute({
    method: 'POST',
    path: '/api/user/client/sync',
    summary:
      'Let the desktop client bring what is new or changed in a folder of its computer into one of the server from now on, or the other way; it asks which, or takes the path given',
    access: 'session',
    body: z.strictObject({
      ...place,
      direction: syncDirection.default('upload'),
      /** Must exist. */
      folder: userPath,
      path: z.string().max(LOCAL_PATH_MAX).default(''),
    }),
    reply: outcome,
    errors: [...transferErrors, 'SYNC_OFF', 'EDITION_FEATURE_MISSING'],
  }),
  packageTicket: defineRoute({
    method: 'POST',
    path: '/api/user/client/ticket',
    summary: 'A plain link to an installer, valid for ten minutes and for it alone',
    access: 'user',
    body: z.strictObject({ type: z.enum(CLIENT_PACKAGES) }),
    reply: z.object({ url: z.string(), ticket: z.string(), expiresAt: z.int() }),
    errors: ['CLIENT_PACKAGE_MISSING'],
  }),
  package: defineRoute({
    method: 'GET',
    path: '/download/:type',
    summary: 'An installer of the desktop client, also by Range; a browser is answered faults as a page',
    access: 'transfer',
    params: z.object({ type: z.enum(CLIENT_PACKAGES) }),
    query: z.object({ token: z.string().max(200) }),
    reply: z.string(),
    raw: 'reply',
    errors: ['TICKET_INVALID', 'CLIENT_PACKAGE_MISSING', 'ROUTE_NOT_FOUND', 'RANGE_INVALID'],
  }),
} as const
