import { z } from 'zod'
import type { Permission } from '../permissions.ts'
import { defineOperation } from './operation-spec.ts'
import { fileType, place, userPath } from './paths.ts'

/** Who did something. `name` is that of the account, of the link a guest came by, or '' where nobody knows it any more. */
export const actorView = z.object({ kind: z.enum(['me', 'user', 'guest', 'system']), name: z.string() })
export type ActorView = z.infer<typeof actorView>

/** Flags that decide what can be done with an entry. */
export const ENTRY_PERMISSIONS = [
  'list',
  'download',
  'upload',
  'mkdir',
  'rename',
  'move',
  'copy',
  'delete',
  'share',
  'invite',
] as const satisfies readonly Permission[]
export type EntryPermission = (typeof ENTRY_PERMISSIONS)[number]

const ACTIVITY_KINDS = ['uploaded', 'replaced', 'made', 'renamed', 'moved', 'copied', 'deleted', 'restored'] as const

export const activityItem = z.object({
  kind: z.enum(ACTIVITY_KINDS),
  /** Unix seconds. */
  time: z.int(),
  /** After the change; of what was deleted, where it was. */
  path: z.string(),
  file_type: fileType,
  /** Where it was before, or where its source is; null for what has none, or one that the reader may not see. */
  from: z.string().nullable(),
  by: actorView,
})
export type ActivityItem = z.infer<typeof activityItem>

export const activityOperation = defineOperation({
  name: 'activity',
  summary: 'What happened to an entry, and in a folder to what is in it, newest first; follow `next` until it is null',
  isRead: true,
  input: z.strictObject({
    ...place,
    path: userPath,
    /** Opaque; from the previous reply. */
    cursor: z.string().max(100).nullish(),
    limit: z.int().min(1).max(100).default(20),
  }),
  reply: z.object({ items: z.array(activityItem), next: z.string().nullable() }),
  errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'CURSOR_INVALID'],
})
