import { withWholeUpload, endUpload } from './intake.transitions.ts'
import { nextState } from './intake.machine.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { uploadsStore } from './intake.store.ts'
import type { LiveUpload } from './live-uploads.ts'

/** Carriers that bring a file in one request. */
export const UNRESUMED: ReadonlySet<string> = new Set(['webdav', 'put'])
/** An upload whose sender cannot come back to it ends so long after the last sign of its process. */
export const UNRESUMED_MS = 15 * 60_000
const KEEP_MS = 3 * 60_000

/** Keeps an upload that nobody can resume from running out while it is written. @returns a function that ends it */
export function keepOpen({ db, clock, log }: IntakeDeps, live: LiveUpload): () => void {
  const prolong = (): void => {
    const change = { expires_at: clock.now() + UNRESUMED_MS }
    uploadsStore.change(db, live.id, { states: ['open'] }, change).catch((thrown: unknown) => {
      log.warn({ err: thrown, uploadId: live.id }, 'an upload was not kept open')
    })
  }
  const timer = setInterval(prolong, KEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** What a former process was writing and nobody can resume. Where several processes write, such uploads run out by themselves. */
export async function dropAbandoned(deps: IntakeDeps): Promise<void> {
  if (deps.leases.isShared) return
  const rows = await uploadsStore.inState(deps.db, 'open')
  for (const { id } of rows.filter(({ carrier }) => UNRESUMED.has(carrier))) {
    const live = await deps.live.get(id)
    if (live === undefined) continue
    const reason = new AppError('UPLOAD_NOT_FOUND')
    await withWholeUpload(deps, live, {
      reason,
      work: async () => {
        if (nextState(live.state, 'abort') !== undefined) await endUpload(deps, live, 'abort')
      },
    })
  }
}
