import { AppError } from '../../kernel/errors.ts'
import type { IntakeDeps } from './intake.deps.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore } from './intake.store.ts'
import { abortUpload } from './intake.transitions.ts'
import type { LiveUpload } from './live-uploads.ts'

/** What marks the uploads of a task. @param taskId hex */
export function taskMark(taskId: string): string {
  return `transfer ${taskId}`
}

/** Gives up what an interrupted task of an account left behind; files that are complete stay. */
export async function dropTransferParts(deps: IntakeDeps, userId: string, taskId: string): Promise<void> {
  await dropUploads(deps, await uploadsStore.ofTransfer(deps.db, userId, taskMark(taskId)))
}

/** Gives up uploads that are not complete, and forgets that all of them belong to a task. */
export async function dropUploads(deps: IntakeDeps, rows: readonly UploadRow[]): Promise<void> {
  for (const { id, state } of rows) {
    const live = state === 'completed' ? undefined : await deps.live.get(id)
    if (live !== undefined) await giveUp(deps, live)
  }
  await uploadsStore.forgetTransfer(
    deps.db,
    rows.map(({ id }) => id),
  )
}

/** Gives up what is not complete of the uploads that count in a transfer. */
export async function dropUploadsOf(deps: IntakeDeps, userId: string, transferId: string): Promise<void> {
  for (const id of await uploadsStore.openInTransfer(deps.db, userId, transferId)) {
    const live = await deps.live.get(id)
    // What became a file meanwhile stays one.
    if (live?.state === 'open') await giveUp(deps, live)
  }
}

async function giveUp(deps: IntakeDeps, live: LiveUpload): Promise<void> {
  try {
    await abortUpload(deps, live)
  } catch (thrown) {
    // Somebody else was faster: there is nothing left to give up.
    if (!(thrown instanceof AppError && thrown.code === 'UPLOAD_NOT_FOUND')) throw thrown
  }
}
