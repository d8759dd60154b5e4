import type { Clock } from '@godwit/base'
import type { Tx } from '../../../kernel/db/index.ts'
import type { StagedFile } from '../../cross-storage/index.ts'
import { forgetHash, rememberHashes } from '../../quotas/index.ts'
import type { Step } from './step.ts'

interface Published {
  readonly staged: StagedFile
  /** Tag that the file has now. */
  readonly etag: string
}

/** Every byte was read, so that both files are known from here on. */
export async function recordHashes(tx: Tx, clock: Clock, step: Step, { staged, etag }: Published): Promise<void> {
  const { spaceId, kind, from, to } = step
  const { hash } = staged
  await rememberHashes(tx, clock, [{ spaceId, key: to, etag, hash }])
  if (kind === 'copy') await rememberHashes(tx, clock, [{ spaceId, key: from, etag: staged.etag, hash }])
  else await forgetHash(tx, spaceId, from)
}
