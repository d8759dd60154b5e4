import type { Clock, Random } from '@godwit/base'
import type { DoctorCode } from '@godwit/i18n/doctor-texts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Config } from '../../kernel/config/index.ts'
import type { Database } from '../../kernel/db/index.ts'
import type { Check } from '../../kernel/feature.ts'

/** What was found on one point, before it has a language. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem'
  readonly code: DoctorCode
  readonly values?: Readonly<Record<string, string | number>>
  /** Why it is not known: what a look threw. */
  readonly thrown?: unknown
}

/** What was found, for a reader. */
export interface ShownFinding {
  readonly check: string
  readonly title: string
  readonly state: Finding['state']
  readonly code: DoctorCode
  readonly message: string
  /** What mends it, as a command or a short instruction. */
  readonly fix?: string
  /** Who can: whoever has a shell on the host, an administrator in the console, or nobody needs to. */
  readonly who: 'host' | 'console' | 'nobody'
}

export interface DoctorDeps {
  readonly config: Config
  readonly clock: Pick<Clock, 'now'>
  /** Opens the installation's database beside a running server. @throws where nothing is installed, or it cannot be used */
  readonly withDatabase: <T>(work: (database: Database) => Promise<T>) => Promise<T>
  /** Whether there is a database to open. */
  readonly isInstalled: boolean
  /** Looked at from inside a server that runs: its port is taken by itself, and a look must not hold it up. */
  readonly isRunning: boolean
  readonly random: Random
  /** Runs `work` with the storages of the installation, open. */
  readonly withStorages: <T>(work: (storages: Pick<Storages, 'all' | 'idOf'>) => Promise<T>) => Promise<T>
  /** Runs `work` with what the features check, as for `/readyz`. */
  readonly withChecks: <T>(work: (checks: readonly Check[]) => Promise<T>) => Promise<T>
}

export type Look = (deps: DoctorDeps) => Promise<Finding>
