import type { Intake } from '../../content/intake/index.ts'
import type { RunningDownloads } from '../../content/downloads/index.ts'
import type { FileJobsDeps, FilesDeps } from '../../content/files/index.ts'
import type { Quotas } from '../../content/quotas/index.ts'
import type { Recycle } from '../../content/recycle/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Clock } from '@godwit/base'
import type { Db, DialectName } from '../../kernel/db/index.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import type { SignInDeps } from './webdav.sign-in.ts'

/** What the methods of the protocol work with. */
export interface WebdavDeps extends SignInDeps {
  readonly db: Db
  readonly dialect: DialectName
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly files: FilesDeps
  readonly jobs: FileJobsDeps
  readonly queue: Pick<Queue, 'settled' | 'byId'>
  readonly quotas: Quotas
  readonly intake: Intake
  readonly downloads: Pick<RunningDownloads, 'fetch'>
  readonly recycle: Recycle
}
