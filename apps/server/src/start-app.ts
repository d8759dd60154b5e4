import { secureRandom, systemClock, type Clock, type Random } from '@godwit/base'
import type { Logger } from 'pino'
import { listFeatures } from './app.ts'
import { answerOtherNodes, requireVaultKey } from './foundation/installation/index.ts'
import type { StopOrder } from './foundation/server-state/index.ts'
import { databaseUrl, type Config } from './kernel/config/index.ts'
import { connectDatabase, migrateToLatest, type Database } from './kernel/db/index.ts'
import { openKernel } from './kernel/kernel.ts'
import { runFeatures } from './kernel/run-features.ts'
import { openSharedState } from './kernel/shared-state.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { endCopy, requireWholeDatabase } from './oversight/maintenance/index.ts'
import { finishSpaceSwitches } from './oversight/relocations/index.ts'
import type { Parts } from './parts.ts'

export interface AppOptions extends Parts {
  readonly config: Config
  readonly log: Logger
  readonly clock?: Clock
  readonly random?: Random
}

export interface App {
  readonly url: string
  /** Of HTTPS; undefined without. */
  readonly tlsUrl: string | undefined
  /** One-time token of the first set-up, or undefined when an administrator exists. */
  readonly setupToken: string | undefined
  /** Settles when a person ordered this process to end. */
  readonly stopOrder: Promise<StopOrder>
  /** @param onStep receives the name of each step before it is taken */
  stop(onStep?: (step: string) => void): Promise<void>
}

/** Starts everything. @throws whatever keeps it from starting, with nothing left open */
export async function startApp(options: AppOptions): Promise<App> {
  const database = connectDatabase(databaseUrl(options.config))
  try {
    await requireWholeDatabase(database)
    await migrateToLatest(database, MIGRATIONS)
    await endCopy(database)
    const { config, random = secureRandom } = options
    await requireVaultKey({ db: database.db, data: config.data, random })
    return await startOn(database, options)
  } catch (thrown) {
    // Open connections would keep a process alive that said why it cannot start.
    await database.close()
    throw thrown
  }
}

async function startOn(database: Database, { clock = systemClock, random = secureRandom, ...options }: AppOptions) {
  const { config, log } = options
  const shared = await openSharedState({ config, database, clock, random, log })
  try {
    await shared.bus.start()
    const { bus, locks } = shared
    if (database.dialect === 'mysql') answerOtherNodes({ bus, log, hasRedis: config['redis.url'] !== '' })
    await finishSpaceSwitches({ config, database, bus, locks, clock, random, log })
    const kernel = openKernel({ config, log, clock, random, database, shared })
    const { all, http, setup, state } = listFeatures(kernel, options)
    const features = await runFeatures({ ...kernel, sweep: () => shared.sweep() }, all)
    return {
      url: http.url(),
      tlsUrl: http.tlsUrl(),
      setupToken: setup.token(),
      stopOrder: state.stopOrder,
      async stop(onStep: (step: string) => void = () => undefined) {
        await features.stop(onStep)
        onStep('database')
        await shared.stop()
        await database.close()
      },
    }
  } catch (thrown) {
    await shared.stop()
    throw thrown
  }
}
