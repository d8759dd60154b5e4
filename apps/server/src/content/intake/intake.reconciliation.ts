import { recoverBatches } from './batches.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { resumePublishing } from './intake.publishing.ts'
import { uploadsStore } from './intake.store.ts'
import type { LiveUpload } from './live-uploads.ts'

/**
 * Finishes what a crash, a database or a storage that went away left half done: uploads whose file was being shown, and
 * batches of small files. What is still under way, here or on another node, is left alone.
 * @returns uploads and batches that were settled
 */
export async function reconcile(deps: IntakeDeps): Promise<number> {
  let settled = 0
  for (const { id } of await uploadsStore.inState(deps.db, 'processing')) {
    const live = await deps.live.get(id)
    if (live === undefined || live.isBusy) continue
    try {
      if (await live.inTurn(() => reconcileUpload(deps, live))) settled++
    } catch (thrown) {
      deps.log.warn({ err: thrown, uploadId: live.id }, 'an upload could not be finished yet')
    }
  }
  return settled + (await recoverBatches(deps))
}

async function reconcileUpload(deps: IntakeDeps, live: LiveUpload): Promise<boolean> {
  const isSettled = await deps.leases.attempt({ table: 'uploads', id: live.id }, async () => {
    await deps.live.reload(live)
    if (live.state !== 'processing') return false
    await resumePublishing(deps, live)
    return true
  })
  return isSettled ?? false
}
