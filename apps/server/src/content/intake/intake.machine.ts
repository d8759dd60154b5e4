import type { UploadState } from '@godwit/contract'

export const UPLOAD_EVENTS = ['complete', 'publish', 'retreat', 'skip', 'fail', 'abort', 'expire'] as const
export type UploadEvent = (typeof UPLOAD_EVENTS)[number]

/**
 * All states of an upload and what leads out of them. What is not in the table cannot happen.
 *
 * - complete: every byte is durable and the hash is right; the step that shows the file is written down
 * - publish:  the storage shows the file
 * - retreat:  the step was refused (name taken, folder gone): the bytes stay and another try may follow
 * - fail:     the storage lost or refused the bytes; the upload must be begun anew
 */
export const UPLOAD_MACHINE: Readonly<Record<UploadState, Partial<Readonly<Record<UploadEvent, UploadState>>>>> = {
  open: { complete: 'processing', skip: 'skipped', fail: 'failed', abort: 'aborted', expire: 'expired' },
  processing: { publish: 'completed', retreat: 'open', skip: 'skipped', fail: 'failed' },
  failed: { abort: 'aborted', expire: 'expired' },
  completed: {},
  skipped: {},
  aborted: {},
  expired: {},
}

/** @returns undefined when the event cannot happen in that state */
export function nextState(state: UploadState, event: UploadEvent): UploadState | undefined {
  return UPLOAD_MACHINE[state][event]
}

/** States in which nothing more will happen. */
export function isSettled(state: UploadState): boolean {
  return Object.keys(UPLOAD_MACHINE[state]).length === 0
}
