import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

const content = {
  path: '/api/files/preview/content',
  access: 'public',
  query: z.object({ ticket: z.string().max(200) }),
  reply: z.string(),
  raw: 'reply',
  errors: ['TICKET_INVALID', 'PATH_NOT_FOUND', 'PERMISSION_DENIED', 'RANGE_INVALID', 'FILE_CHANGED', 'FILE_SCREENING'],
} as const

/** Bytes of a file that a page shows. The operation `preview` makes the link. */
export const previewRoutes = {
  content: defineRoute({
    ...content,
    method: 'GET',
    summary: 'The bytes of a file for a viewer; Range as in RFC 9110',
  }),
  contentHead: defineRoute({ ...content, method: 'HEAD', summary: 'Size, type and ETag of what GET answers' }),
} as const
