import { LIMITS } from '@godwit/contract/limits'
import { loadPart } from '../../../lib/load-part.ts'
import type * as work from './upload-work.ts'

/** What looks at drops and sends them. No screen needs it before there is an upload. */
export type UploadWork = typeof work

let asked: Promise<UploadWork> | undefined

/** Fetches it once; an upload may begin while the line is dead, so it is asked for again until it comes. */
export function loadUploadWork(): Promise<UploadWork> {
  asked ??= untilItComes()
  return asked
}

async function untilItComes(): Promise<UploadWork> {
  for (;;) {
    try {
      return await loadPart(() => import('./upload-work.ts'))
    } catch {
      // Out of reach: the drop waits as it does for a server that is away.
      await new Promise((resolve) => setTimeout(resolve, LIMITS.reconnectMs))
    }
  }
}
