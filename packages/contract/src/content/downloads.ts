import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { fileOperations } from './files.ts'
import { userPath } from './paths.ts'

const contentQuery = z.object({
  /** One file; a folder is sent as a zip. Omitted when a ticket names the paths. */
  path: userPath.optional(),
  spaceId: z.coerce.number().int().min(1).default(LIMITS.defaultSpaceId),
  groupId: z.coerce.number().int().min(0).default(LIMITS.defaultGroupId),
  /** Replaces the bearer token, so that a plain link works, for a short time and for these paths only. */
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
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'TOO_MANY_PATHS', 'VERSION_NOT_FOUND'],
  }),
} as const
