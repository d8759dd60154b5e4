import { bandwidth } from '../input-codes.ts'
import { z } from 'zod'
import { place, userPath } from '../content/paths.ts'
import { uploadRules } from '../identity/transfer-rules.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { TRANSFER_DOORS, TRANSFER_GROUPS, TRANSFER_STATES } from './transfer-states.ts'

/** How a transfer shares the line with others: yields to them, as an equal, or as two. */
export const TRANSFER_PRIORITIES = ['low', 'normal', 'high'] as const
export type TransferPriority = (typeof TRANSFER_PRIORITIES)[number]

/** Megabits per second, in steps of 0.001; 0 is no limit. */
export const transferRate = bandwidth(100_000)

/** What is said about how a transfer shares the line; what is left out stays. */
export const transferSharing = {
  priority: z.enum(TRANSFER_PRIORITIES).optional(),
  /** Unix milliseconds, ahead of now; null takes it back. */
  deadline: z.int().min(0).nullable().optional(),
}

export const transferView = z.object({
  transferId: z.string(),
  /** As the account sees it: an upload comes to the server. */
  direction: z.enum(['upload', 'download']),
  state: z.enum(TRANSFER_STATES),
  spaceId: z.int(),
  groupId: z.int(),
  /** Folder that takes an upload; of a download the folder of its first path. */
  folder: z.string(),
  /** What a list calls it. */
  name: z.string(),
  /** Known so far; the list of a large folder grows while it runs. */
  files: z.int(),
  filesDone: z.int(),
  bytes: z.int(),
  /** Verified at the receiver. */
  bytesDone: z.int(),
  bytesPerSecond: z.int(),
  /** Files that could not be transferred. */
  failures: z.int(),
  /** `udp` or `tcp`; '' while nothing is connected. */
  path: z.string(),
  /** Why that path: a key of docs/transfers.md, such as `udp-blocked`. */
  pathReason: z.string(),
  /** What limits the speed, as `gwt` names it, such as `loss`; '' while unknown. */
  bottleneck: z.string(),
  /** Its numbers: a share of the time, of a disk, a core or the packets; the rate of limit or line; the round trip. */
  bottleneckFigures: z.object({
    percent: z.number().optional(),
    mbps: z.number().optional(),
    rttMs: z.number().optional(),
  }),
  /** Name of the device, as its client gave it. */
  device: z.string(),
  /** Where the client connected from. */
  address: z.string(),
  /** Why it failed; '' otherwise. */
  error: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** 0 while it is not over. */
  finishedAt: z.int(),
  /** Until then the ticket opens it. */
  expiresAt: z.int(),
  /** When a client first connected; 0 before. */
  startedAt: z.int(),
  /** File bytes that crossed the network, those sent again included. */
  bytesMoved: z.int(),
  /** How fast its account wants it at most, and an administrator; the lower one counts, 0 is no limit. */
  rateMbps: z.number(),
  ceilingMbps: z.number(),
  priority: z.enum(TRANSFER_PRIORITIES),
  /** When it is to have arrived, Unix milliseconds; null: no matter when. */
  deadline: z.int().nullable(),
  /** By how many milliseconds it will come too late at the rate that it can get, or has; 0: in time. */
  lateMs: z.int(),
  door: z.enum(TRANSFER_DOORS),
  /** The first five files or folders. */
  paths: z.array(z.string()),
  /** The page that sends an upload, as it named itself; '' for every other transfer. */
  holder: z.string(),
})
export type TransferView = z.infer<typeof transferView>

const ticketReply = z.object({
  transfer: transferView,
  /** Secret of this transfer alone: with it a client connects to the transfer port. */
  ticket: z.string(),
  /** Host to connect to; '' where it is the host of the API. */
  host: z.string(),
  port: z.int(),
  /** 0: this server has UDP switched off. */
  udpPort: z.int(),
  /** Largest datagram, bytes. */
  packetSize: z.int(),
  /** False: packets need not be encrypted. */
  encrypted: z.boolean(),
  /** TCP is used where the round trip is at most this long, ms; 0: never by choice. */
  tcpDelayMs: z.int(),
  /** What uploads of the account to the place of the transfer leave out. */
  rules: z.object(uploadRules),
  /** The space that the account works in where nobody says another; 0 without any. */
  defaultSpaceId: z.int(),
})
export type TransferTicket = z.infer<typeof ticketReply>

const device = z.string().max(128).default('')
const ticketErrors = [
  'PERMISSION_DENIED',
  'PATH_NOT_FOUND',
  'CLIENT_TRANSFER_NOT_ALLOWED',
  'TRANSFER_PORT_UNAVAILABLE',
  'RATE_LIMITED',
] as const
/** A page as it names itself, for as long as it is open. */
const pageName = z.string().max(32).default('')
const transferId = z.object({ transferId: z.string().max(64) })
const changed = z.object({ transfer: transferView })

export const transferRoutes = {
  upload: defineRoute({
    method: 'POST',
    path: '/api/transfers/upload',
    summary: 'A ticket to send files and folders into a folder by the transfer port',
    access: 'user',
    body: z.strictObject({
      ...place,
      /** Must exist. */
      folder: userPath,
      /** What lists call the transfer, such as the name of the folder that is sent. */
      name: z.string().max(255).default(''),
      /** Nobody asks for it now: it comes from a folder that is kept in sync. */
      isSync: z.boolean().default(false),
      device,
    }),
    reply: ticketReply,
    errors: [...ticketErrors, 'SYNC_OFF', 'EDITION_FEATURE_MISSING'],
  }),
  download: defineRoute({
    method: 'POST',
    path: '/api/transfers/download',
    summary: 'A ticket to receive files and folders by the transfer port',
    access: 'user',
    body: z.strictObject({
      ...place,
      paths: z.array(userPath).min(1).max(LIMITS.pathsPerCall),
      /** Nobody asks for it now: the folder of these paths is kept in sync. */
      isSync: z.boolean().default(false),
      device,
    }),
    reply: ticketReply,
    errors: [...ticketErrors, 'SYNC_OFF', 'EDITION_FEATURE_MISSING'],
  }),
  list: defineRoute({
    method: 'GET',
    path: '/api/transfers',
    summary:
      'Transfers of the account by every way, those under way first, then the newest; the file socket reports changes as `transfer.changed`',
    access: 'user',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(500).default(100),
      /** `next` of the page before. */
      after: z.string().max(40).optional(),
      group: z.enum(TRANSFER_GROUPS).optional(),
      direction: z.enum(['upload', 'download']).optional(),
      /** Part of a name, a folder or a device. */
      text: z.string().max(100).optional(),
    }),
    /** `next` is '' on the last page. */
    reply: z.object({ items: z.array(transferView), next: z.string() }),
    errors: [],
  }),
  files: defineRoute({
    method: 'GET',
    path: '/api/transfers/:transferId/files',
    summary: 'The files of a transfer that failed, the first thousand',
    access: 'user',
    params: transferId,
    reply: z.object({ files: z.array(z.object({ path: z.string(), code: z.string() })) }),
    errors: ['TRANSFER_NOT_FOUND'],
  }),
  /** Reports of a page about an upload of its own. */
  begin: defineRoute({
    method: 'POST',
    path: '/api/transfers/browser',
    summary: 'A page begins an upload: what it uploads with this id counts as one transfer',
    access: 'user',
    body: z.strictObject({
      ...place,
      folder: userPath,
      name: z.string().min(1).max(255),
      files: z.int().min(0).max(10_000_000),
      bytes: z.int().min(0),
      paths: z.array(z.string().max(4096)).max(LIMITS.failedPathsReported),
      page: pageName,
    }),
    reply: changed,
    errors: ['PERMISSION_DENIED', 'PATH_NOT_FOUND', 'RATE_LIMITED'],
  }),
  report: defineRoute({
    method: 'POST',
    path: '/api/transfers/browser/:transferId',
    summary: 'Where an upload by a page stands; at least every 30 s while it goes on or is paused',
    access: 'user',
    params: transferId,
    body: z.strictObject({
      /** `ended`: nothing more comes. `left`: the page is closed, and may go on later. */
      state: z.enum(['running', 'paused', 'left', 'ended']),
      files: z.int().min(0).max(10_000_000),
      bytes: z.int().min(0),
      failures: z.int().min(0),
      /** The first files that failed. */
      failed: z
        .array(z.strictObject({ path: z.string().max(4096), code: z.string().max(64) }))
        .max(LIMITS.failedPathsReported)
        .default([]),
      page: pageName,
      /** This page goes on with it from now on, whoever did before. */
      takeOver: z.boolean().default(false),
    }),
    reply: changed,
    errors: ['TRANSFER_NOT_FOUND', 'TRANSFER_TAKEN_OVER'],
  }),
  clear: defineRoute({
    method: 'POST',
    path: '/api/transfers/clear',
    summary: 'Take transfers that are over off the list; those named, or all',
    access: 'user',
    body: z.strictObject({ transferIds: z.array(z.string().max(64)).min(1).max(1000).optional() }),
    reply: z.object({ cleared: z.int() }),
    errors: [],
  }),
  ticket: defineRoute({
    method: 'POST',
    path: '/api/transfers/:transferId/ticket',
    summary: 'The ticket of a transfer that goes on, maybe with another device',
    access: 'user',
    params: transferId,
    body: z.strictObject({}),
    reply: ticketReply,
    errors: [
      'TRANSFER_NOT_FOUND',
      'TICKET_INVALID',
      'PERMISSION_DENIED',
      'PATH_NOT_FOUND',
      'CLIENT_TRANSFER_NOT_ALLOWED',
      'TRANSFER_PORT_UNAVAILABLE',
    ],
  }),
  pause: defineRoute({
    method: 'POST',
    path: '/api/transfers/:transferId/pause',
    summary: 'Send nothing more until it is resumed; the connection stays',
    access: 'user',
    params: transferId,
    body: z.strictObject({}),
    reply: changed,
    errors: ['TRANSFER_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  resume: defineRoute({
    method: 'POST',
    path: '/api/transfers/:transferId/resume',
    summary: 'Go on with a paused transfer',
    access: 'user',
    params: transferId,
    body: z.strictObject({}),
    reply: changed,
    errors: ['TRANSFER_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  limit: defineRoute({
    method: 'POST',
    path: '/api/transfers/:transferId/limit',
    summary:
      'How fast a transfer of the account may be, and how it shares the line with others, from now on; a limit set by an administrator stays',
    access: 'user',
    params: transferId,
    body: z.strictObject({ rateMbps: transferRate.optional(), ...transferSharing }),
    reply: changed,
    errors: ['TRANSFER_NOT_FOUND', 'PERMISSION_DENIED', 'TRANSFER_DEADLINE_PAST'],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/transfers/:transferId/cancel',
    summary: 'End a transfer and its ticket; files that are complete stay',
    access: 'user',
    params: transferId,
    body: z.strictObject({}),
    reply: changed,
    errors: ['TRANSFER_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
} as const
