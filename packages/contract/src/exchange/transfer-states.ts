import { UPLOAD_RECORD_STATUS, type UploadRecordStatus } from '../content/upload-records.ts'

/**
 * State of a transfer:
 * - waiting: a ticket was issued, nobody has used it yet
 * - running, paused: a client is connected, or a page is open
 * - interrupted: the connection was lost, or whoever moved the bytes stopped; it can go on
 * - completed: every file is in place
 * - partial: over, some files failed
 * - failed, cancelled, expired: over
 */
export const TRANSFER_STATES = [
  'waiting',
  'running',
  'paused',
  'interrupted',
  'completed',
  'partial',
  'failed',
  'cancelled',
  'expired',
] as const
export type TransferState = (typeof TRANSFER_STATES)[number]

/**
 * By which way bytes move: by a client over the transfer port, by a page, by another program over HTTP or a socket, by tus or by
 * WebDAV.
 */
export const TRANSFER_DOORS = ['transfer', 'page', 'http', 'socket', 'tus', 'webdav', 'schedule'] as const
export type TransferDoor = (typeof TRANSFER_DOORS)[number]

/** Whether it waits when it is asked to: a client does, and a page with an upload of its own. */
export function canPause({ door, direction }: { readonly door: TransferDoor; readonly direction: string }): boolean {
  return door === 'transfer' || (door === 'page' && direction === 'upload')
}

/** States in which a transfer is not over. */
export const LIVE_TRANSFER_STATES = ['waiting', 'running', 'paused', 'interrupted'] as const

/** Where a transfer stands in a list: states are ordered by it, and within it the newest comes first. */
export const TRANSFER_STATUS: Readonly<Record<TransferState, UploadRecordStatus>> = {
  running: UPLOAD_RECORD_STATUS.uploading,
  waiting: UPLOAD_RECORD_STATUS.pending,
  paused: UPLOAD_RECORD_STATUS.pending,
  interrupted: UPLOAD_RECORD_STATUS.pending,
  partial: UPLOAD_RECORD_STATUS.uploadFailed,
  failed: UPLOAD_RECORD_STATUS.uploadFailed,
  cancelled: UPLOAD_RECORD_STATUS.uploadFailed,
  expired: UPLOAD_RECORD_STATUS.uploadFailed,
  completed: UPLOAD_RECORD_STATUS.uploaded,
}

/** What a list of transfers may be narrowed to. */
export const TRANSFER_GROUPS = ['running', 'paused', 'failed', 'completed'] as const
export type TransferGroup = (typeof TRANSFER_GROUPS)[number]
export const STATES_OF_GROUP: Readonly<Record<TransferGroup, readonly TransferState[]>> = {
  running: ['running'],
  paused: ['waiting', 'paused', 'interrupted'],
  failed: ['partial', 'failed', 'cancelled', 'expired'],
  completed: ['completed'],
}
