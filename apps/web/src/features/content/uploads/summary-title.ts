import type { Texts } from '../../../lib/texts.tsx'
import type { UploadsView } from './upload-views.ts'

/** How the uploads stand, in one line. */
export function summaryTitle({ totals, isActive, isPaused, ghosts, jobs }: UploadsView, texts: Texts): string {
  if (isActive) return texts('uploads.summary.active', { count: totals.files - totals.done })
  if (isPaused) return texts('uploads.summary.paused', { count: totals.files - totals.done })
  if (totals.failed > 0) return texts('uploads.summary.failed', { count: totals.failed })
  if (jobs.length === 0) return texts('uploads.summary.ghosts', { count: ghosts.length })
  return texts('uploads.summary.done', { count: totals.completed })
}
