import { z } from 'zod'
import { listQuery, listReply } from '../identity/console-lists.ts'
import { defineRoute } from '../wire/route.ts'

const recycledType = z.enum(['File', 'Folder'])

export const adminRecycleItem = z.object({
  recycleId: z.string(),
  name: z.string(),
  /** Where it was in its place. */
  path: z.string(),
  file_type: recycledType,
  size: z.int(),
  /** Unix seconds. */
  deletedAt: z.int(),
  userId: z.string(),
  account: z.string(),
  spaceId: z.int(),
  spaceName: z.string(),
  /** '' for a person's own files. */
  groupName: z.string(),
})
export type AdminRecycleItem = z.infer<typeof adminRecycleItem>

/** Items of one call. */
export const RECYCLE_PER_CALL = 1000

const body = z.strictObject({ recycleIds: z.array(z.string().max(64)).min(1).max(RECYCLE_PER_CALL) })

const reply = z.object({
  /** Done, or going on behind the call. */
  changed: z.int(),
  failed: z.array(z.object({ name: z.string(), code: z.int(), message: z.string() })),
})

export const adminRecycleRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/recycle',
    summary: 'What everybody has in the recycle bin, the newest first; with the folder scope `own` the caller’s',
    access: { right: 'recycle.view' },
    query: z.object({
      ...{ page: listQuery.page, size: listQuery.size },
      /** Part of a path or an account. */
      text: listQuery.text,
      type: recycledType.optional(),
      /** Deleted in this time, Unix milliseconds. */
      from: z.coerce.number().int().min(0).optional(),
      to: z.coerce.number().int().min(0).optional(),
    }),
    reply: listReply(adminRecycleItem),
    errors: [],
  }),
  restore: defineRoute({
    method: 'POST',
    path: '/api/admin/recycle/restore',
    summary: 'Put items back where they were, beside what has their names by now',
    access: { right: 'recycle.restore' },
    log: 'recycle.restore',
    body,
    reply,
    errors: ['RECYCLE_ITEM_NOT_FOUND'],
  }),
  clear: defineRoute({
    method: 'POST',
    path: '/api/admin/recycle/clear',
    summary: 'Delete items for good',
    access: { right: 'recycle.clear' },
    log: 'recycle.clear',
    body,
    reply,
    errors: ['RECYCLE_ITEM_NOT_FOUND'],
  }),
} as const
