import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { listQuery, listReply } from './console-lists.ts'
import { bulkReply } from './console-users.ts'

/** Accounts of one call. */
const REMOVED_PER_CALL = 1000

/** An account that was removed, and what became of its files. */
export const removedUser = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  removedAt: z.int(),
  /** Account of whoever removed it; '' for the command line. */
  removedBy: z.string(),
  files: z.enum(['keep', 'delete', 'hand-over']),
  /** `kept`: the files are where they were. `done`: they are deleted or handed over. */
  state: z.enum(['kept', 'working', 'done', 'failed']),
  /** Who gets the files; '' where nobody does. */
  to: z.string(),
  /** Where they are in the personal files of whoever got them. */
  folders: z.array(z.string()),
  /** Where they are on the storages; none when they are gone. */
  places: z.array(z.object({ storage: z.string(), folder: z.string() })),
  bytes: z.int(),
  /** What ended the last try, in the language of the caller; '' where nothing did. */
  error: z.string(),
})
export type RemovedUser = z.infer<typeof removedUser>

export const adminRemovedUserRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/removed-users',
    summary: 'Accounts that were removed, the last one first, and what became of their files',
    access: { right: 'users.view' },
    query: z.object({ page: listQuery.page, size: listQuery.size, text: listQuery.text }),
    reply: listReply(removedUser),
    errors: [],
  }),
  settle: defineRoute({
    method: 'POST',
    path: '/api/admin/removed-users/settle',
    summary: 'Delete files that were kept, or hand them to another account; also after a try that failed',
    access: { right: 'users.remove' },
    log: 'removed-user.settle',
    body: z.strictObject({
      ids: z.array(z.string().max(64)).min(1).max(REMOVED_PER_CALL),
      files: z.enum(['delete', 'hand-over']),
      /** Account or e-mail of whoever gets them. */
      to: z.string().trim().max(LIMITS.textInputMax).optional(),
    }),
    reply: bulkReply,
    errors: ['ACCOUNT_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
}
