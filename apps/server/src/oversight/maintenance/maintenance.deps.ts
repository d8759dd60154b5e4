import type { Clock, Random } from '@godwit/base'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Database } from '../../kernel/db/index.ts'

/** What maintenance works on, beside a running server where it does not say otherwise. */
export interface MaintenanceDeps {
  readonly database: Database
  readonly storages: Storages
  /** The data folder. */
  readonly data: string
  readonly clock: Clock
  readonly random: Random
  /** Aborts at the next safe place. */
  readonly signal: AbortSignal
}
