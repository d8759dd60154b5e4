import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Clock, Random } from '@godwit/base'
import type { Sessions } from '../../identity/auth/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Database, Db } from '../../kernel/db/index.ts'
import type { Bus, Outbox } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { AccountSpeeds } from '../account-speeds/index.ts'
import type { FilesDeps } from '../files/index.ts'
import type { RequireWeb } from '../spaces/index.ts'
import type { Quotas } from '../quotas/index.ts'
import type { Traffic } from '../traffic/index.ts'
import type { AckLog } from './ack-log.ts'
import type { BodyRates } from './body-rates.ts'
import type { Leases } from './leases.ts'
import type { LiveUploads } from './live-uploads.ts'
import type { RunningBodies } from './running-bodies.ts'

export interface UploadLimits {
  /** Largest file; 0: no limit. */
  readonly maxBytes: number
  /** Part size offered when nobody asks for another. */
  readonly partBytes: number
  /** How long an unfinished upload may go on. */
  readonly grantMs: number
}

export interface IntakeOptions {
  readonly database: Database
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly bus: Bus
  readonly outbox: Outbox
  readonly log: Log
  readonly files: FilesDeps
  readonly quotas: Quotas
  readonly sessions: Pick<Sessions, 'keepAlive' | 'renew'>
  readonly limits: UploadLimits
  readonly speeds: Pick<AccountSpeeds, 'requireOpen' | 'paceOf' | 'limitOf' | 'sharerOf'>
  readonly requireWeb: RequireWeb
  readonly state: ServerState
}

/** What the use cases of this feature share besides what they are given. */
export interface IntakeDeps extends IntakeOptions {
  readonly live: LiveUploads
  readonly acks: AckLog
  readonly rates: BodyRates
  readonly running: RunningBodies
  readonly leases: Leases
  readonly traffic: Traffic
  /** Ids of the batches of small files that this process is writing. */
  readonly batches: Set<string>
}
