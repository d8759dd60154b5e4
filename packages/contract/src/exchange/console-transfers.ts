import { z } from 'zod'
import { listQuery, listReply } from '../identity/console-lists.ts'
import { defineRoute } from '../wire/route.ts'
import { TRANSFER_STATES } from './transfer-states.ts'
import { transferRate, transferSharing, transferView } from './transfers.ts'

export const adminTransfer = transferView.extend({
  userId: z.string(),
  account: z.string(),
  userName: z.string(),
})
export type AdminTransfer = z.infer<typeof adminTransfer>

/** A file that could not be transferred. */
const failedFile = z.object({
  path: z.string(),
  /** Why, as the engine names it, such as `SOURCE_CHANGED`. */
  code: z.string(),
})
export type TransferFile = z.infer<typeof failedFile>

/** live: waiting, running, paused or interrupted. past: over. */
export const TRANSFER_LISTS = ['live', 'past'] as const

export const TRANSFER_ACTIONS = ['pause', 'resume', 'cancel'] as const
export type TransferAction = (typeof TRANSFER_ACTIONS)[number]

const transferIds = z.array(z.string().max(64)).min(1).max(1000)
const transferId = z.object({ transferId: z.string().max(64) })

export const adminTransferRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/transfers',
    summary: 'Transfers by clients, the newest first; with the scope `own` the caller’s',
    access: { right: 'transfers.view' },
    query: z.object({
      ...{ page: listQuery.page, size: listQuery.size },
      /** Part of an account, a name, a device or an address. */
      text: listQuery.text,
      view: z.enum(TRANSFER_LISTS).default('live'),
      state: z.enum(TRANSFER_STATES).optional(),
      direction: z.enum(['upload', 'download']).optional(),
      userId: z.string().max(64).optional(),
      /** Begun in this time. */
      from: z.coerce.number().int().min(0).optional(),
      to: z.coerce.number().int().min(0).optional(),
    }),
    reply: listReply(adminTransfer),
    errors: [],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/admin/transfers/:transferId',
    summary: 'One transfer with the files that failed, the first thousand',
    access: { right: 'transfers.view' },
    params: transferId,
    reply: z.object({ transfer: adminTransfer, files: z.array(failedFile) }),
    errors: ['TRANSFER_NOT_FOUND'],
  }),
  control: defineRoute({
    method: 'POST',
    path: '/api/admin/transfers/control',
    summary: 'Pause, resume or end transfers; those that are over stay as they are',
    access: { right: 'transfers.control' },
    log: 'transfer.control',
    body: z.strictObject({ transferIds, action: z.enum(TRANSFER_ACTIONS) }),
    reply: z.object({ changed: z.int() }),
    errors: ['TRANSFER_NOT_FOUND'],
  }),
  limit: defineRoute({
    method: 'POST',
    path: '/api/admin/transfers/limit',
    summary: 'How fast transfers may be at most, and how they share the line with others, from now on',
    access: { right: 'transfers.control' },
    log: 'transfer.limit',
    body: z.strictObject({
      transferIds,
      ceilingMbps: transferRate.optional(),
      ...transferSharing,
    }),
    reply: z.object({ changed: z.int() }),
    errors: ['TRANSFER_NOT_FOUND', 'TRANSFER_DEADLINE_PAST'],
  }),
} as const
