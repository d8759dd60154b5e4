import type { Quotas } from '../../quotas/index.ts'
import type { JobPrincipal } from '../../../kernel/principal.ts'
import type { Db } from '../../../kernel/db/index.ts'
import type { Job, Queue } from '../../../kernel/queue/index.ts'
import type { FilesDeps } from '../files.deps.ts'

/** What long file jobs need besides the files. */
export interface FileJobsDeps {
  readonly files: FilesDeps
  readonly db: Db
  readonly queue: Queue
  readonly quotas: Quotas
  /** The account as it is when the job runs: rights may have changed since it was asked for. */
  readonly principalOf: (job: Pick<Job, 'id' | 'ownerId'>) => Promise<JobPrincipal | undefined>
}

/** A job that is done by then is answered within the call; others go on behind it. */
export const WITHIN_CALL_MS = 1_500
