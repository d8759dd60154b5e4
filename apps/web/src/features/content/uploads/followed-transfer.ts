import type { TransferView } from '@godwit/contract'
import { isFinished, type UploadJob } from './upload-job.ts'

export type Followed = 'pause' | 'resume' | 'cancel' | undefined

/**
 * What a job does about news of its transfer: another tab, device or administrator may have paused, resumed or canceled it. News
 * from before what this page heard last, and while its own wish is on the way, says nothing.
 */
export function followed(job: UploadJob, { state, updatedAt }: Pick<TransferView, 'state' | 'updatedAt'>): Followed {
  if (isFinished(job)) return undefined
  if (state === 'cancelled') return 'cancel'
  if (job.wishes > 0 || updatedAt <= job.heardAt) return undefined
  if (state === 'paused' && !job.isPaused) return 'pause'
  return state === 'running' && job.isPaused ? 'resume' : undefined
}
