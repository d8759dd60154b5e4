import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { linkAddress, shareUrlType } from './links.ts'

/** Links for people of the site, as those see them whom they are for. Times are Unix seconds. Protocol: docs/links.md. */

export const receivedLink = z.object({
  linkId: z.string(),
  shareUrlType,
  /** What is shared: the name of a single entry, or of the first one. */
  title: z.string(),
  /** Of how many entries. */
  count: z.int(),
  /** 0 file, 1 folder, 2 files */
  type: z.int(),
  owner: z.object({ account: z.string(), name: z.string() }),
  description: z.string(),
  /** For everybody who is signed in; otherwise the caller, or one of their groups, was named. */
  forEveryone: z.boolean(),
  /** Whether it opens now. A link that does not gives no reason, as to any guest. */
  open: z.boolean(),
  shareCreateTime: z.int(),
  /** 0: never. */
  shareExpireTime: z.int(),
  /** When the caller opened it last; 0: not yet. */
  openedAt: z.int(),
})
export type ReceivedLink = z.infer<typeof receivedLink>

export const RECEIVED_SORTS = ['name', 'created', 'expires'] as const

export const receivedLinkRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/share/received/list',
    summary: 'Links that others made for the caller, for a group of theirs, or for everybody who is signed in',
    access: 'session',
    query: z.object({
      pageNum: z.coerce.number().int().min(1).default(1),
      pageSize: z.coerce.number().int().min(1).max(100).default(LIMITS.linkPageSize),
      orderBy: z.enum(RECEIVED_SORTS).default('created'),
      order: z.enum(['asc', 'desc']).default('desc'),
      /** Part of a name, or of the owner's account. */
      keyword: z.string().max(LIMITS.textInputMax).default(''),
    }),
    reply: z.object({ items: z.array(receivedLink), total: z.int(), size: z.int(), current: z.int() }),
    errors: [],
  }),
  open: defineRoute({
    method: 'POST',
    path: '/api/share/received/open',
    summary: 'Begin a visit of a link for people of the site, as one of them',
    access: 'session',
    body: z.strictObject({ url: linkAddress }),
    reply: z.object({
      /** Bearer token of the visit. */
      token: z.string(),
      /** When the token ends. */
      expiresAt: z.int(),
      /** Who shares. */
      account: z.string(),
    }),
    errors: ['LINK_NOT_FOUND', 'LINK_NOT_FOR_YOU', 'LINK_EXPIRED', 'RATE_LIMITED'],
  }),
} as const
