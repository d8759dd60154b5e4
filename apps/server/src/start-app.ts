import { secureRandom, systemClock, type Clock, type Random } from '@godwit/base'
import type { Logger } from 'pino'
import { listFeatures, type Parts } from './app.ts'
import type { Config } from './kernel/config/index.ts'
import { migrateToLatest } from './kernel/db/index.ts'
import { openKernel } from './kernel/kernel.ts'
import { runFeatures } from './kernel/run-features.ts'
import { MIGRATIONS } from './migrations/index.ts'

export interface AppOptions extends Parts {
  readonly config: Config
  readonly log: Logger
  readonly clock?: Clock
  readonly random?: Random
}

export interface App {
  readonly url: string
  /** One-time token of the first set-up, or undefined when an administrator exists. */
  readonly setupToken: string | undefined
  /** @param onStep receives the name of each step before it is taken */
  stop(onStep?: (step: string) => void): Promise<void>
}

/** Starts everything. @throws whatever keeps it from starting, with nothing left open */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log, clock = systemClock, random = secureRandom } = options
  const kernel = openKernel({ config, log, clock, random })
  try {
    await migrateToLatest(kernel.database, MIGRATIONS)
    const { all, http, setup } = listFeatures(kernel, options)
    const { stop } = await runFeatures(kernel, all)
    return { url: http.url(), setupToken: setup.token(), stop }
  } catch (thrown) {
    // Open connections would keep a process alive that said why it cannot start.
    await kernel.database.close()
    throw thrown
  }
}
