import { z } from 'zod'
import { LIMITS } from '../limits.ts'

/** Bounds what is read at all. The rules of names and paths are the server's, and their errors say what is wrong. */
const TEXT_MAX = 65_536

/**
 * Absolute path as the user sees it below the root of a space: `/`, `/reports`, `/reports/2026.pdf`. Resolved in `content/files`
 * only, where more than 4096 bytes are PATH_TOO_LONG.
 */
export const userPath = z.string().min(1).max(TEXT_MAX)

/** A path below a folder, without a slash in front. */
export const relativePath = z.string().max(TEXT_MAX)

/** Own name of an entry; what breaks the rule of names is NAME_INVALID. */
export const entryName = z.string().max(TEXT_MAX)

/** Where a path counts from: a space, and in it the personal files (0) or a group's. */
export const place = {
  spaceId: z.int().min(1).default(LIMITS.defaultSpaceId),
  groupId: z.int().min(0).default(LIMITS.defaultGroupId),
}

/** The place of a target; absent: the place of the paths. Other spaces are reached by delivery only. */
export const targetPlace = {
  /** 0: one's own files in the space. */
  targetGroupId: z.int().min(0).optional(),
}

/**
 * What to do when the target name is taken.
 * `keep-both` stores the new entry as `name (1).ext`; `skip` stores nothing and succeeds; `fail` answers PATH_EXISTS.
 */
export const conflictPolicy = z.enum(['fail', 'replace', 'keep-both', 'skip'])
export type ConflictPolicy = z.infer<typeof conflictPolicy>

export const fileType = z.enum(['File', 'Folder', 'VirtualFolder'])
export type FileType = z.infer<typeof fileType>
