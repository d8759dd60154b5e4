import type { IntakeDeps } from './intake.deps.ts'
import { uploadsStore } from './intake.store.ts'
import { UNRESUMED } from './unresumed.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Lets uploads run out that nobody sends to: each has the days of the setting from the last bytes that arrived, and no longer
 * than an upload may take at all. The sweep of expired uploads then frees their bytes.
 */
export async function limitIdle(deps: IntakeDeps, days: number): Promise<void> {
  const touched = deps.acks.takeTouched()
  if (days === 0) return
  const { db, clock, live, limits } = deps
  const until = clock.now() + days * DAY_MS
  // What was begun before the setting has its days from now on.
  await uploadsStore.shorten(db, { until, except: [...UNRESUMED] })
  for (const id of touched) {
    const upload = await live.get(id)
    if (upload === undefined || UNRESUMED.has(upload.row.carrier)) continue
    const expiresAt = Math.min(until, upload.row.created_at + limits.grantMs)
    if (await uploadsStore.change(db, id, { states: ['open'] }, { expires_at: expiresAt }))
      upload.row = { ...upload.row, expires_at: expiresAt }
  }
}
