import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { fileOperations } from './files.ts'
import { userPath } from './paths.ts'

const contentQuery = z.object({
  /** One file; a folder is answered as a zip. Left out when a ticket says what is meant. */
  path: userPath.optional(),
  spaceId: z.coerce.number().int().min(1).default(LIMITS.defaultSpaceId),
  groupId: z.coerce.number().int().min(0).default(LIMITS.defaultGroupId),
  /** In place of the bearer token: a plain link works with it, for a short time and for these paths alone. */
  ticket: z.string().max(200).optional(),
})

const content = {
  path: '/api/files/content',
  access: 'transfer',
  query: contentQuery,
  reply: z.string(),
  raw: 'reply',
  errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'RANGE_INVALID', 'TICKET_INVALID', 'FILE_CHANGED', 'FILE_SCREENING'],
} as const

/** Bytes of files. Range, If-Range and ETag as in RFC 9110; the name travels in Content-Disposition. */
export const downloadRoutes = {
  content: defineRoute({
    ...content,
    method: 'GET',
    summary: 'The bytes of a file, or a zip of folders and selections',
  }),
  contentHead: defineRoute({ ...content, method: 'HEAD', summary: 'Size, type, ETag and name of what GET answers' }),
  ticket: defineRoute({
    method: 'POST',
    path: '/api/files/ticket',
    summary: 'A short-lived plain link: one file as itself, several or folders as a zip',
    access: 'user',
    body: fileOperations.download.input,
    reply: fileOperations.download.reply,
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'TOO_MANY_PATHS'],
  }),
} as const
