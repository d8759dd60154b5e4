import { LIMITS } from '../limits.ts'

/** State of a line in the upload panel. */
export const UPLOAD_RECORD_STATUS = {
  uploading: 0,
  /** All bytes are sent; the server checks and publishes. */
  serverChecking: 1,
  pending: 2,
  uploadFailed: 3,
  uploaded: 4,
} as const
export type UploadRecordStatus = (typeof UPLOAD_RECORD_STATUS)[keyof typeof UPLOAD_RECORD_STATUS]

/** Reports about an upload task: when it starts and when it ends. */
export const UPLOAD_TASK_STATE = { start: 0, end: 1 } as const

/** The panel's order: by status, then newest first. For `Array.sort`. */
export function compareUploadRecords(
  left: { readonly status: UploadRecordStatus; readonly createTime: number },
  right: { readonly status: UploadRecordStatus; readonly createTime: number },
): number {
  return left.status - right.status || right.createTime - left.createTime
}

/** The paths an upload task's report names. */
export function reportedPaths(paths: readonly string[]): readonly string[] {
  return paths.slice(0, LIMITS.failedPathsReported)
}

/** The tabs of a transfer view. */
export const TRANSFER_VIEWS = [
  'waiting',
  'uploading',
  'serverChecking',
  'uploaded',
  'downloading',
  'downloaded',
] as const
