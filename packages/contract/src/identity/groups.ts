import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { transferRules } from './transfer-rules.ts'

/** At most this many characters. */
export const GROUP_NAME_MAX = 32

/** A group of the caller. Inside it these rules and this permission hold instead of the caller's own. */
export const groupEntry = z.object({
  groupId: z.int(),
  groupName: z.string(),
  /** Permission bit flags of the membership, as in `UserInfo.permission`. */
  userGroupPermission: z.int(),
  /** Bytes the group may keep; 0: no limit. */
  userHomeSize: z.int(),
  /** Bytes kept and reserved by running uploads, of all members. */
  usedBytes: z.int(),
  /** Unix seconds. */
  create_time: z.int(),
  ...transferRules,
})
export type GroupEntry = z.infer<typeof groupEntry>

export const groupRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/group/list',
    summary: 'The groups of a space that the caller is a member of, by name',
    access: 'user',
    query: z.object({ spaceId: z.coerce.number().int().min(1).optional() }),
    reply: z.object({ groups: z.array(groupEntry) }),
    errors: ['NO_SPACE'],
  }),
}
