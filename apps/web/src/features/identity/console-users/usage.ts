import { SCREEN } from '@godwit/contract/limits'
import type { ProgressTone } from '../../../ui/progress-bar.tsx'

/** How a storage bar looks that is filled to this share. */
export function usageTone(share: number): ProgressTone {
  if (share >= SCREEN.progressError) return 'error'
  return share >= SCREEN.progressWarning ? 'warning' : 'done'
}
