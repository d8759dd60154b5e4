import { z } from 'zod'
import { userPath } from '../content/paths.ts'
import { LIMITS } from '../limits.ts'

/** One page of a list. */
export const linkPage = {
  pageNum: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(LIMITS.linkPageSize),
}

export const linkListQuery = z.object({
  ...linkPage,
  shareUrlType: z.coerce.number().int().min(0).max(1),
  spaceId: z.coerce.number().int().min(1).optional(),
  /** 1 name, 2 time of creation, 3 expiry, 4 status */
  orderBy: z.coerce.number().int().min(1).max(4).default(2),
  order: z.enum(['asc', 'desc']).default('desc'),
  /** With `groupId`, of one's own files when it is left out: links that share this very entry, or bring files into it. */
  path: userPath.optional(),
  groupId: z.coerce.number().int().min(0).default(LIMITS.defaultGroupId),
  /** Part of a name or of the folder. */
  keyword: z.string().max(LIMITS.textInputMax).default(''),
  status: z.coerce.number().int().min(1).max(3).optional(),
  /** Time of creation, both ends included. */
  startTime: z.coerce.number().int().min(0).optional(),
  endTime: z.coerce.number().int().min(0).optional(),
})
export type LinkListQuery = z.infer<typeof linkListQuery>
