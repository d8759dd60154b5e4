import type { TransferView } from '@godwit/contract'
import { isFinished, type UploadJob } from './upload-job.ts'

export type Followed = 'pause' | 'resume' | 'cancel' | 'lose' | undefined

/**
 * What a job does about news of its transfer: another tab, device or administrator may have paused, resumed or canceled it, or go
 * on with it in its place. News
 * from before what this page heard last, and while its own wish is on the way, says nothing.
 */
export function followed(
  job: UploadJob,
  { state, updatedAt, holder }: Pick<TransferView, 'state' | 'updatedAt' | 'holder'>,
  page: string,
): Followed {
  if (isFinished(job)) return undefined
  if (state === 'cancelled') return 'cancel'
  if (job.isWishing === true || updatedAt <= job.heardAt) return undefined
  if (holder !== page) return 'lose'
  if (state === 'paused' && !job.isPaused) return 'pause'
  return state === 'running' && job.isPaused ? 'resume' : undefined
}
