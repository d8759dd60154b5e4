import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { conflictPolicy, entryName, place, relativePath, userPath } from './paths.ts'

/** Protocol: docs/protocol-upload.md. Sizes and offsets in bytes, ranges half-open [start, end). */
const range = z.tuple([z.int(), z.int()])

/** BLAKE3 tree hash: 1 MiB leaves; the definition stands in `@godwit/base` tree-hash.ts. Lower-case hex, 64 digits. */
const hash64 = z.string().regex(/^[0-9a-f]{64}$/)

const uploadTarget = {
  ...place,
  /** Folder that takes the upload; must exist. */
  folder: userPath,
  filename: entryName,
  /** Path of the file below `folder`, with `/`, the name last; folders on the way are created. Overrides `filename`. */
  relativePath: relativePath.optional(),
  conflict: conflictPolicy.default('fail'),
  /** Last change of the source, Unix milliseconds; becomes the file's time. */
  lastModified: z.int().min(0).optional(),
}

export const uploadState = z.enum(['open', 'processing', 'completed', 'failed', 'aborted', 'expired', 'skipped'])
export type UploadState = z.infer<typeof uploadState>

export const uploadView = z.object({
  uploadId: z.string(),
  state: uploadState,
  folder: z.string(),
  filename: z.string(),
  path: z.string(),
  size: z.int(),
  partSize: z.int(),
  /** What is durable: survives a crash and a power cut. Ascending, disjoint. */
  ranges: z.array(range),
  expiresAt: z.int(),
  lastModified: z.int(),
})
export type UploadView = z.infer<typeof uploadView>

const uploadResult = z.object({
  state: uploadState,
  path: z.string(),
  name: z.string(),
  size: z.int(),
  /** BLAKE3 tree hash of what is stored. */
  hash: z.string(),
  sha256: z.string().optional(),
})
export type UploadResult = z.infer<typeof uploadResult>

/** The transfer of the caller's list that it counts in, as `POST /api/transfers/browser` answered it. */
const transferId = z.string().max(32).optional()
const uploadId = z.object({ uploadId: z.string().max(64) })

export const uploadRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/api/uploads',
    summary: 'Begin an upload, or continue an unfinished one of the same file',
    access: 'guest',
    body: z.strictObject({
      ...uploadTarget,
      size: z.int().min(0),
      /** Declared hashes; checked before the file becomes visible. */
      hash: hash64.optional(),
      sha256: hash64.optional(),
      /** Continue an unfinished upload of mine with the same target, size and lastModified. */
      resume: z.boolean().default(true),
      /** Wanted part size; the server answers with the one to use. */
      partSize: z.int().min(1).optional(),
      transferId,
    }),
    reply: uploadView.extend({
      /** Bearer token for this upload alone; outlives the login. */
      grant: z.string(),
      resumed: z.boolean(),
    }),
    errors: [
      'PATH_NOT_FOUND',
      'PATH_EXISTS',
      'NAME_INVALID',
      'NAME_CASE_CLASH',
      'PERMISSION_DENIED',
      'QUOTA_EXCEEDED',
      'UPLOAD_TOO_LARGE',
      'UPLOAD_SIZE_INVALID',
    ],
  }),
  part: defineRoute({
    method: 'PUT',
    path: '/api/uploads/:uploadId/parts/:offset',
    summary: 'The bytes from `offset` (a multiple of partSize) on; answered when they are durable',
    access: 'transfer',
    params: uploadId.extend({ offset: z.coerce.number().int().min(0) }),
    raw: 'request',
    reply: z.object({ ranges: z.array(range), hash: z.string() }),
    errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_PART_INVALID', 'UPLOAD_HASH_MISMATCH', 'UPLOAD_FAILED', 'STORAGE_FULL'],
  }),
  status: defineRoute({
    method: 'GET',
    path: '/api/uploads/:uploadId',
    summary: 'State and durable ranges',
    access: 'transfer',
    params: uploadId,
    reply: uploadView,
    errors: ['UPLOAD_NOT_FOUND'],
  }),
  complete: defineRoute({
    method: 'POST',
    path: '/api/uploads/:uploadId/complete',
    summary: 'Make the file visible; idempotent',
    access: 'transfer',
    params: uploadId,
    body: z.strictObject({ hash: hash64.optional(), sha256: hash64.optional(), conflict: conflictPolicy.optional() }),
    reply: uploadResult,
    errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_INCOMPLETE', 'UPLOAD_HASH_MISMATCH', 'PATH_EXISTS', 'UPLOAD_FAILED'],
  }),
  abort: defineRoute({
    method: 'DELETE',
    path: '/api/uploads/:uploadId',
    summary: 'Give up; the bytes are removed',
    access: 'transfer',
    params: uploadId,
    reply: z.object({}),
    errors: ['UPLOAD_NOT_FOUND'],
  }),
  abortTwin: defineRoute({
    method: 'POST',
    path: '/api/uploads/:uploadId/abort',
    summary: 'The same as DELETE, for proxies that drop it',
    access: 'transfer',
    params: uploadId,
    reply: z.object({}),
    errors: ['UPLOAD_NOT_FOUND'],
  }),
  mine: defineRoute({
    method: 'GET',
    path: '/api/uploads',
    summary: 'My unfinished uploads: drop the same file again to go on',
    access: 'guest',
    reply: z.object({ items: z.array(uploadView) }),
    errors: [],
  }),
  pack: defineRoute({
    method: 'POST',
    path: '/api/uploads/pack',
    summary:
      'Many small files in one request, each committed or refused by itself (docs/protocol-upload.md, section Pack)',
    access: 'guest',
    query: z.object({
      folder: userPath,
      spaceId: z.coerce.number().int().default(1),
      groupId: z.coerce.number().int().default(0),
      transferId,
    }),
    raw: 'request',
    reply: z.object({
      results: z.array(
        z.object({
          relativePath: z.string(),
          code: z.int(),
          message: z.string(),
          state: uploadState,
          path: z.string(),
          hash: z.string(),
        }),
      ),
    }),
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'QUOTA_EXCEEDED', 'UPLOAD_PART_INVALID'],
  }),
} as const
