import { z } from 'zod'
import { defineOperation } from './operation-spec.ts'
import { place, userPath } from './paths.ts'

const versionId = z.string().min(1).max(64)

/** Most that one call names; a file keeps no more. */
const VERSIONS_MAX = 1000

export const versionItem = z.object({
  versionId: z.string(),
  size: z.int(),
  /** When the content was last changed, Unix seconds; `keptAt` is when something else took its place. */
  time: z.int(),
  keptAt: z.int(),
  /** Name of the account that put something else in its place; '' for a guest or the system. */
  by: z.string(),
  /** BLAKE3 tree hash; '' where none is recorded. */
  hash: z.string(),
})
export type VersionItem = z.infer<typeof versionItem>

export const versionOperations = {
  versions: defineOperation({
    name: 'versions',
    summary: 'Earlier contents of a file that are kept, newest first',
    isRead: true,
    input: z.strictObject({ ...place, path: userPath }),
    reply: z.object({
      items: z.array(versionItem),
      /** How many this place keeps of a file; 0: none from now on. */
      limit: z.int(),
      mayRestore: z.boolean(),
      mayRemove: z.boolean(),
    }),
    errors: ['PATH_IS_FOLDER'],
  }),
  restoreVersion: defineOperation({
    name: 'restoreVersion',
    summary: 'Make a version the content of its file again; what the file holds now becomes a version',
    input: z.strictObject({ ...place, path: userPath, versionId }),
    reply: z.object({ path: z.string() }),
    errors: ['VERSION_NOT_FOUND'],
  }),
  removeVersions: defineOperation({
    name: 'removeVersions',
    summary: 'Delete versions of a file for good',
    input: z.strictObject({ ...place, path: userPath, versionIds: z.array(versionId).min(1).max(VERSIONS_MAX) }),
    reply: z.object({ removed: z.int() }),
    errors: ['VERSION_NOT_FOUND', 'FILE_BUSY'],
  }),
  usage: defineOperation({
    name: 'usage',
    summary: 'What the bytes of a place are used for',
    isRead: true,
    input: z.strictObject({ ...place }),
    reply: z.object({
      /** 0: no limit. */
      quotaBytes: z.int(),
      /** All that counts, uploads and copies under way among it. */
      usedBytes: z.int(),
      recycledBytes: z.int(),
      versionBytes: z.int(),
    }),
    errors: [],
  }),
} as const
