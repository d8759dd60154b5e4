import type { Clock, Random } from '@godwit/base'
import { databaseUrl, type Config } from './config/index.ts'
import type { Log } from './context.ts'
import { openVault, type Vault } from './crypto/index.ts'
import { connectDatabase, type Database, type Db, type DialectName } from './db/index.ts'
import { createOutbox, type Bus, type Outbox } from './events/index.ts'
import { timeOrderedIds, type Ids } from './ids.ts'
import type { Limits } from './limits/index.ts'
import type { Locks } from './locks/index.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createQueue, type Queue } from './queue/index.ts'
import { localSharedState, type SharedState } from './shared-state.ts'
import { availableMemory, createRequestMemory, requestMemoryBytes, type RequestMemory } from './request-memory.ts'

/** What every feature is given. */
export interface Kernel {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly database: Database
  readonly db: Db
  readonly dialect: DialectName
  readonly bus: Bus
  readonly locks: Locks
  readonly limits: Limits
  readonly outbox: Outbox
  readonly queue: Queue
  readonly vault: Vault
  readonly memory: RequestMemory
  readonly metrics: Metrics
  /** Where this process listens; the real port once it does. */
  readonly listening: { readonly host: string; port: number }
}

export interface KernelOptions extends Pick<Kernel, 'config' | 'log' | 'clock' | 'random'> {
  /** Default: the configured one is opened. */
  readonly database?: Database
  /** Default: this process shares nothing with others. */
  readonly shared?: SharedState
}

/** Opens the database; nothing runs before the features do. The caller closes the database and what is shared. */
export function openKernel({ config, log, clock, random, ...given }: KernelOptions): Kernel {
  const database = given.database ?? connectDatabase(databaseUrl(config))
  const { db, dialect } = database
  const ids = timeOrderedIds(clock, random)
  const { bus, locks, limits } = given.shared ?? localSharedState({ clock, random, log })
  return {
    ...{ config, log, clock, random, ids, database, db, dialect, bus, locks, limits },
    outbox: createOutbox({ db, clock, log, bus }),
    queue: createQueue({ database, clock, random, ids, bus, log }),
    vault: openVault(config.data, random),
    memory: createRequestMemory(config['http.bodyMemoryBytes'] || requestMemoryBytes(availableMemory())),
    metrics: createMetrics(),
    listening: { host: config.host, port: config.port },
  }
}
