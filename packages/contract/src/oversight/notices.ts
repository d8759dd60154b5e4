import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'

/** A notice in the language of the request. */
export const notice = z.object({
  id: z.string(),
  title: z.string(),
  /** Plain text; lines end with a line feed. */
  content: z.string(),
  /** An administrator wrote it: addresses in it may be shown as links. */
  isWritten: z.boolean(),
  /** The page of the portal where the reader goes on; '' where there is none. */
  page: z.enum(['', '/recycle']),
  /** Unix milliseconds. */
  create_time: z.int(),
  /** 1: read. */
  isShowed: z.int(),
})
export type Notice = z.infer<typeof notice>

const read = z.strictObject({ noticeIds: z.array(z.string().max(32)).min(1).max(500) })
const nowUnread = z.object({ unread: z.int() })

export const noticeRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/notice/list',
    summary: 'The own notices, newest first',
    access: 'session',
    query: z.object({
      pageNum: z.coerce.number().int().min(1).default(1),
      pageSize: z.coerce.number().int().min(1).max(LIMITS.noticeUnreadFetch).default(LIMITS.noticePageSize),
    }),
    reply: z.object({
      notic_list: z.array(notice),
      total: z.int(),
      size: z.int(),
      current: z.int(),
      /** Unread notices of all pages. */
      unread: z.int(),
    }),
    errors: [],
  }),
  markRead: defineRoute({
    method: 'PATCH',
    path: '/api/notice/status/update',
    summary: 'Mark notices as read; read ones stay read',
    access: 'session',
    body: read,
    reply: nowUnread,
    errors: ['NOTICE_NOT_FOUND'],
  }),
  markReadTwin: defineRoute({
    method: 'POST',
    path: '/api/notice/status/update',
    summary: 'The same for proxies that know no PATCH',
    access: 'session',
    body: read,
    reply: nowUnread,
    errors: ['NOTICE_NOT_FOUND'],
  }),
}
