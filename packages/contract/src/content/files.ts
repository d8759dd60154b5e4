import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { activityOperation, actorView, ENTRY_PERMISSIONS } from './activity.ts'
import { markOperations } from './marks.ts'
import { conflictPolicy, entryName, fileType, place, relativePath, targetPlace, userPath } from './paths.ts'
import { defineOperation } from './operation-spec.ts'
import { PREVIEW_VIEWS, VIEWLESS_REASONS } from './previews.ts'
import { searchInput, searchReply } from './search.ts'
import { versionOperations } from './versions.ts'

/** One entry of a folder. `time` is the last change in Unix seconds; `size` of a folder is 0. */
export const fileItem = z.object({
  name: z.string(),
  file_type: fileType,
  size: z.int(),
  time: z.int(),
  path: z.string(),
})
export type FileItem = z.infer<typeof fileItem>

export const orderBy = z.enum(['name', 'size', 'time', 'type'])
export type OrderBy = z.infer<typeof orderBy>
const order = z.enum(['asc', 'desc'])

/** A path of a request that failed while others succeeded. */
const pathFailure = z.object({ path: z.string(), code: z.int(), message: z.string() })

/** A long job's visible state: what `copy`, `move` and `remove` of big trees answer with, and `job` events carry. */
export const jobView = z.object({
  jobId: z.string(),
  kind: z.enum(['copy', 'move', 'remove', 'restore', 'purge', 'pack', 'unpack']),
  state: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  /** Things done and known so far; `total*` grow while a tree is still being counted. */
  doneFiles: z.int(),
  totalFiles: z.int(),
  doneBytes: z.int(),
  totalBytes: z.int(),
  /** Name of the entry being worked on. */
  current: z.string(),
  /** At most 100. */
  failures: z.array(pathFailure),
  /** Whether `undo` takes back what a copy or move did. */
  canUndo: z.boolean().optional(),
})
export type JobView = z.infer<typeof jobView>

/** Small jobs finish within the call (`job.state` is `completed` or `failed`); larger ones continue after it. */
const jobReply = z.object({ job: jobView })

const paths = z.array(userPath).min(1).max(LIMITS.pathsPerCall)

/**
 * The file operations, defined once and served by two carriers: `POST /api/files/{name}` and the file socket `/ws/files`.
 * All of them need a signed-in account and act with its rights in the given space and group.
 */
/** What the page of a preview reports of it. A view that is not the caller’s, or is over, is left as it is. */
export const viewedReport = z.strictObject({ viewId: z.string().max(32), isOver: z.boolean() })

export const fileOperations = {
  list: defineOperation({
    name: 'list',
    summary: 'One page of a folder in the one collation; follow `next` until it is null',
    isRead: true,
    input: z.strictObject({
      ...place,
      folder: userPath,
      /** Opaque; from the previous reply. */
      cursor: z.string().max(2000).nullish(),
      limit: z.int().min(1).max(LIMITS.listPageMax).default(LIMITS.listPageDefault),
      orderBy: orderBy.default('name'),
      order: order.default('asc'),
    }),
    reply: z.object({
      items: z.array(fileItem),
      next: z.string().nullable(),
      /** Entries of the whole folder, so that a page can draw a true scrollbar. */
      total: z.int(),
      /** Changes whenever the folder does; a page with another version than the one shown is stale. */
      version: z.string(),
    }),
    errors: ['PATH_NOT_FOUND', 'PATH_IS_FILE', 'PERMISSION_DENIED', 'CURSOR_INVALID'],
  }),
  columns: defineOperation({
    name: 'columns',
    summary: 'Like `list`, but as one array a field: about half the bytes, for folders of 100,000 entries and more',
    isRead: true,
    input: z.strictObject({
      ...place,
      folder: userPath,
      cursor: z.string().max(2000).nullish(),
      limit: z.int().min(1).max(100_000).default(LIMITS.listPageMax),
      orderBy: orderBy.default('name'),
      order: order.default('asc'),
    }),
    reply: z.object({
      names: z.array(z.string()),
      /** 0 file, 1 folder, 2 virtual folder */
      types: z.array(z.int()),
      sizes: z.array(z.int()),
      times: z.array(z.int()),
      next: z.string().nullable(),
      total: z.int(),
      version: z.string(),
    }),
    errors: ['PATH_NOT_FOUND', 'PATH_IS_FILE', 'PERMISSION_DENIED', 'CURSOR_INVALID'],
  }),
  mkdir: defineOperation({
    name: 'mkdir',
    summary: 'Create a folder',
    input: z.strictObject({ ...place, folder: userPath, name: entryName }),
    reply: z.object({ path: z.string() }),
    errors: ['PATH_NOT_FOUND', 'PATH_EXISTS', 'NAME_INVALID', 'NAME_CASE_CLASH', 'PERMISSION_DENIED'],
  }),
  rename: defineOperation({
    name: 'rename',
    summary: 'Rename a file or folder in its folder `path`',
    input: z.strictObject({ ...place, path: userPath, oldName: entryName, newName: entryName }),
    reply: z.object({ path: z.string() }),
    errors: ['PATH_NOT_FOUND', 'PATH_EXISTS', 'NAME_INVALID', 'NAME_CASE_CLASH', 'PERMISSION_DENIED'],
  }),
  move: defineOperation({
    name: 'move',
    summary: 'Move entries into the folder `target`, of the same place or of another one in the space',
    input: z.strictObject({
      ...place,
      ...targetPlace,
      paths,
      target: userPath,
      conflict: conflictPolicy.default('fail'),
    }),
    reply: jobReply,
    errors: ['PATH_NOT_FOUND', 'PATH_EXISTS', 'TARGET_INSIDE_SOURCE', 'QUOTA_EXCEEDED', 'PERMISSION_DENIED'],
  }),
  copy: defineOperation({
    name: 'copy',
    summary: 'Copy entries into the folder `target`, of the same place or of another one in the space',
    input: z.strictObject({
      ...place,
      ...targetPlace,
      paths,
      target: userPath,
      conflict: conflictPolicy.default('fail'),
    }),
    reply: jobReply,
    errors: ['PATH_NOT_FOUND', 'PATH_EXISTS', 'TARGET_INSIDE_SOURCE', 'QUOTA_EXCEEDED', 'PERMISSION_DENIED'],
  }),
  remove: defineOperation({
    name: 'remove',
    summary: 'Move entries to the recycle bin',
    input: z.strictObject({ ...place, paths }),
    reply: z.object({ job: jobView, recycleIds: z.array(z.string()) }),
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  pack: defineOperation({
    name: 'pack',
    summary: 'Pack entries into a new zip in the folder `target`; a taken name gets a number',
    input: z.strictObject({ ...place, paths, target: userPath, name: entryName }),
    reply: jobReply,
    errors: ['PATH_NOT_FOUND', 'NAME_INVALID', 'FILE_TYPE_NOT_ALLOWED', 'QUOTA_EXCEEDED', 'PERMISSION_DENIED'],
  }),
  unpack: defineOperation({
    name: 'unpack',
    summary:
      'Unpack a zip into a new folder of its name in the folder `target`; what fails is named, the rest is unpacked',
    input: z.strictObject({ ...place, path: userPath, target: userPath }),
    reply: jobReply,
    errors: [
      'PATH_NOT_FOUND',
      'PATH_IS_FOLDER',
      'ARCHIVE_UNREADABLE',
      'ARCHIVE_TOO_LARGE',
      'QUOTA_EXCEEDED',
      'PERMISSION_DENIED',
    ],
  }),
  attributes: defineOperation({
    name: 'attributes',
    summary: 'Size, counts and times of entries; folders are counted through',
    isRead: true,
    input: z.strictObject({ ...place, paths }),
    reply: z.object({
      items: z.array(
        z.object({
          path: z.string(),
          name: z.string(),
          file_type: fileType,
          /** Bytes; of a folder, everything in it. */
          size: z.int(),
          file_count: z.int(),
          folder_count: z.int(),
          time: z.int(),
          create_time: z.int(),
          /** BLAKE3 tree hash of a file whose content was checked when it came; lower-case hex. */
          hash: z.string().optional(),
          /** Who brought the content of a file, and when; absent where nobody noted it. Unix seconds. */
          uploaded: z.object({ by: actorView, time: z.int() }).optional(),
          /** Flags that the caller has here. */
          permissions: z.array(z.enum(ENTRY_PERMISSIONS)),
        }),
      ),
      /** Paths without attributes. A request in which every path fails is refused as a whole. */
      failures: z.array(pathFailure),
    }),
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  exists: defineOperation({
    name: 'exists',
    summary: 'Which of the given paths are taken, with size and time: the conflict scan before an upload, move or copy',
    isRead: true,
    input: z.strictObject({ ...place, paths }),
    reply: z.object({ items: z.array(fileItem) }),
    errors: ['PERMISSION_DENIED'],
  }),
  preflight: defineOperation({
    name: 'preflight',
    summary: 'What stands in the way of uploading files into a folder, for all of a drop before its first byte',
    isRead: true,
    input: z.strictObject({
      ...place,
      folder: userPath,
      /** Where each file goes below the folder. */
      paths: z.array(relativePath.min(1)).min(1).max(LIMITS.pathsPerCall),
      /** Bytes of each. */
      sizes: z.array(z.int().min(0)).min(1).max(LIMITS.pathsPerCall),
      /** Bytes of the whole drop, which may take several calls. */
      totalBytes: z.int().min(0),
    }),
    reply: z.object({
      /** What the upload of a file would be refused with now; files without a problem are left out. */
      problems: z.array(
        z.object({
          /** Position in `paths`. */
          index: z.int(),
          /** Wire code of the error. */
          code: z.int(),
          /** Facts of the error. */
          data: z.record(z.string(), z.unknown()),
          /** With PATH_EXISTS: what is there. */
          existing: z.object({ isFolder: z.boolean(), size: z.int(), time: z.int() }).optional(),
        }),
      ),
      /** Bytes that the quota leaves; null without one. */
      quotaLeftBytes: z.int().nullable(),
      /** The storage has less room than the whole drop needs. */
      isStorageFull: z.boolean(),
    }),
    errors: ['PATH_NOT_FOUND', 'PATH_IS_FILE', 'PERMISSION_DENIED', 'PARAMETER_INVALID'],
  }),
  download: defineOperation({
    name: 'download',
    summary: 'A short-lived plain link to entries: one file as itself, several or folders as a zip',
    isRead: true,
    /** With `versionId`: that version of the only path. */
    input: z.strictObject({ ...place, paths, versionId: z.string().max(64).optional() }),
    reply: z.object({ ticket: z.string(), url: z.string(), expiresAt: z.int() }),
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'VERSION_NOT_FOUND'],
  }),
  preview: defineOperation({
    name: 'preview',
    feature: 'preview',
    summary: 'How a file can be shown, by its content, and a plain link to what a page needs to show it',
    isRead: true,
    input: z.strictObject({ ...place, path: userPath }),
    reply: z.object({
      name: z.string(),
      size: z.int(),
      time: z.int(),
      view: z.enum(PREVIEW_VIEWS),
      /** Why there is nothing to look at when `view` is `none`. */
      reason: z.enum(VIEWLESS_REASONS).nullable(),
      /** Media type of the content, as far as it is known; what the link answers with when a browser draws it by itself. */
      type: z.string(),
      /** The server makes it playable: the link answers `stream=plan` and playlists, too. */
      hasStream: z.boolean(),
      /** Takes Range requests; always an attachment, so that no browser opens it as a page. */
      url: z.string(),
      expiresAt: z.int(),
      /** Of the preview log, for `viewed`; '' when there is nothing to look at. */
      viewId: z.string(),
    }),
    errors: ['PATH_NOT_FOUND', 'PATH_IS_FOLDER', 'PERMISSION_DENIED'],
  }),
  viewed: defineOperation({
    name: 'viewed',
    feature: 'preview',
    summary: 'Report that a preview is still looked at, every half minute, or that it was closed',
    isRead: true,
    input: viewedReport,
    reply: z.object({}),
    errors: [],
  }),
  search: defineOperation({
    name: 'search',
    summary:
      'Entries by a part of their name, or documents by their words, from the index; follow `next` until it is null',
    isRead: true,
    input: searchInput,
    reply: searchReply,
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'CURSOR_INVALID'],
  }),
  job: defineOperation({
    name: 'job',
    summary: 'State of a long job of mine',
    isRead: true,
    input: z.strictObject({ jobId: z.string().max(64) }),
    reply: jobReply,
    errors: ['JOB_NOT_FOUND'],
  }),
  cancel: defineOperation({
    name: 'cancel',
    summary: 'Cancel a long job of mine; entries already done stay done, no half file stays',
    input: z.strictObject({ jobId: z.string().max(64) }),
    reply: jobReply,
    errors: ['JOB_NOT_FOUND'],
  }),
  undo: defineOperation({
    name: 'undo',
    summary:
      'Take back a copy or move of mine that says `canUndo`: what it made goes to the recycle bin or back to where it was, and what was replaced comes back; what was changed since stays',
    input: z.strictObject({ jobId: z.string().max(64) }),
    reply: jobReply,
    errors: ['JOB_NOT_FOUND', 'PATH_NOT_FOUND', 'PATH_EXISTS', 'PERMISSION_DENIED'],
  }),
  recycled: defineOperation({
    name: 'recycled',
    summary: 'What is in the recycle bin, newest first',
    isRead: true,
    input: z.strictObject({
      ...place,
      cursor: z.string().max(2000).nullish(),
      limit: z.int().min(1).max(1000).default(100),
      /** Part of the name, in any case. */
      keyword: z.string().max(256).nullish(),
    }),
    reply: z.object({
      items: z.array(
        z.object({
          recycleId: z.string(),
          name: z.string(),
          path: z.string(),
          file_type: fileType,
          size: z.int(),
          deletedAt: z.int(),
        }),
      ),
      next: z.string().nullable(),
      /** Days after which an item is deleted for good. */
      keptDays: z.int(),
    }),
    errors: [],
  }),
  restore: defineOperation({
    name: 'restore',
    summary: 'Put recycled entries back where they were, or into the folder `target`',
    input: z.strictObject({
      ...place,
      recycleIds: z.array(z.string().max(64)).min(1).max(LIMITS.pathsPerCall),
      conflict: conflictPolicy.default('keep-both'),
      /** A folder of the place; absent: where each was, and folders on the way that are gone come back too. */
      target: userPath.nullish(),
    }),
    reply: jobReply,
    errors: ['RECYCLE_ITEM_NOT_FOUND', 'PATH_NOT_FOUND', 'PATH_IS_FILE', 'PATH_EXISTS', 'PERMISSION_DENIED'],
  }),
  purge: defineOperation({
    name: 'purge',
    summary: 'Delete recycled entries for good: those named, or all that are in the bin of the place now',
    input: z.strictObject({
      ...place,
      /** Ids, or the word `all`. */
      recycleIds: z.union([z.array(z.string().max(64)).min(1).max(LIMITS.pathsPerCall), z.literal('all')]),
    }),
    reply: jobReply,
    errors: ['RECYCLE_ITEM_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  ...versionOperations,
  activity: activityOperation,
  ...markOperations,
} as const

/** Where the HTTP carrier takes an operation, as a POST. */
export function operationPath(name: string): string {
  return `/api/files/${name}`
}

export type FileOperations = typeof fileOperations
export type FileOperationName = keyof FileOperations
export type OperationInput<Name extends FileOperationName> = z.input<FileOperations[Name]['input']>
export type OperationReply<Name extends FileOperationName> = z.infer<FileOperations[Name]['reply']>
