import type { DirectorySync } from '@godwit/contract'
import { errorSpec, type ErrorName } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { Texts } from '../../../lib/texts.tsx'

/** What a synchronization does, or has done, in a sentence. */
export function outcomeText(texts: Texts, sync: DirectorySync): string {
  const { state, dryRun, read, written, counts, error } = sync
  if (state === 'queued') return texts('authentication.sync.queued')
  if (state === 'running') return texts('authentication.sync.running', { read, written })
  if (state === 'failed') {
    const failure = new ApiError({ code: errorSpec(error as ErrorName).wire, message: error })
    return texts('authentication.sync.failed', { reason: texts.failure(failure) })
  }
  return texts(dryRun ? 'authentication.sync.previewed' : 'authentication.sync.applied', counts)
}
