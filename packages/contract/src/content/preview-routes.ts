import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { userPath } from './paths.ts'
import { FILM_STREAMS, THUMBNAIL_EDGES } from './previews.ts'

/** The query of the link of a preview. */
export const previewQuery = z.object({
  ticket: z.string().max(200),
  /** With the view `pages`: which one, counted from 1; 0 describes them. */
  page: z.coerce.number().int().min(0).max(100_000).optional(),
  /** With the view `video`: a picture of how it begins, in place of its bytes. */
  poster: z.literal('1').optional(),
  /** Where the preview `hasStream`: how it can be played, the playlist of its sizes, and that of one of them (RFC 8216). */
  stream: z.enum(FILM_STREAMS).optional(),
  /** With the playlist of a size: a segment of it, counted from 0. */
  segment: z.coerce.number().int().min(0).max(100_000).optional(),
})

/** The longer edge; a smaller picture keeps its size. */
export const thumbnailEdge = z.coerce
  .number()
  .pipe(z.literal([...THUMBNAIL_EDGES]))
  .default(256)

const content = {
  path: '/api/files/preview/content',
  access: 'public',
  feature: 'preview',
  query: previewQuery,
  reply: z.string(),
  raw: 'reply',
  errors: [
    'TICKET_INVALID',
    'PATH_NOT_FOUND',
    'PERMISSION_DENIED',
    'RANGE_INVALID',
    'FILE_CHANGED',
    'FILE_SCREENING',
    'PREVIEW_UNSUPPORTED',
    'SERVER_BUSY',
  ],
} as const

/** Bytes of a file that a page shows. The operation `preview` makes the link. */
export const previewRoutes = {
  content: defineRoute({
    ...content,
    method: 'GET',
    summary: 'The bytes of a file for a viewer; Range as in RFC 9110',
  }),
  contentHead: defineRoute({ ...content, method: 'HEAD', summary: 'Size, type and ETag of what GET answers' }),
  thumbnail: defineRoute({
    method: 'GET',
    path: '/api/files/thumbnail',
    summary: 'A small picture of a picture or a film, as WebP: upright and without metadata; ETag as in RFC 9110',
    access: 'user',
    query: z.object({
      path: userPath,
      spaceId: z.coerce.number().int().min(1).default(LIMITS.defaultSpaceId),
      groupId: z.coerce.number().int().min(0).default(LIMITS.defaultGroupId),
      edge: thumbnailEdge,
    }),
    reply: z.string(),
    raw: 'reply',
    errors: ['PATH_NOT_FOUND', 'PATH_IS_FOLDER', 'PERMISSION_DENIED', 'PREVIEW_UNSUPPORTED', 'SERVER_BUSY'],
  }),
} as const
