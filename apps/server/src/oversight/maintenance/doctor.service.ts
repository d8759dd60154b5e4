import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { errorText } from '@godwit/i18n'
import { sql } from 'kysely'
import { Refused } from '../../foundation/installation/index.ts'
import { isSetupNeeded } from '../../identity/setup/index.ts'
import { shownDatabaseUrl, withoutDatabasePassword, type Config } from '../../kernel/config/index.ts'
import type { Database } from '../../kernel/db/index.ts'
import { listSubscribers } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Check } from '../../kernel/feature.ts'
import { listenFault, type ListenFault } from './listen-faults.ts'

/** What was found on one point. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What mends it, as a command or a short instruction. */
  readonly fix?: string
}

export interface DoctorDeps {
  readonly config: Config
  /** Opens the installation's database beside a running server. @throws where nothing is installed, or it cannot be used */
  readonly withDatabase: <T>(work: (database: Database) => Promise<T>) => Promise<T>
  /** Whether there is a database to open. */
  readonly isInstalled: boolean
  /** Runs `work` with what the features check, as for `/readyz`. */
  readonly withChecks: (work: (checks: readonly Check[]) => Promise<Finding[]>) => Promise<Finding[]>
}

type Look = (deps: DoctorDeps) => Promise<Finding>

const OLDEST_NODE = [24, 15] as const

/** Looks for what would keep the server from working, each with what mends it. Makes nothing before the first start. */
export async function examine(deps: DoctorDeps): Promise<Finding[]> {
  const looks = deps.isInstalled ? LOOKS : { ...LOOKS, ...LOOKS_BEFORE_THE_FIRST_START }
  const findings: Finding[] = []
  for (const [name, look] of Object.entries(looks)) findings.push(await guarded(name, deps, look))
  if (deps.isInstalled) findings.push(...(await featureFindings(deps)))
  return findings
}

/** The database is looked at more closely above; nobody can say anything of the others without it. */
async function featureFindings(deps: DoctorDeps): Promise<Finding[]> {
  const checkAll = async (checks: readonly Check[]): Promise<Finding[]> => {
    const findings: Finding[] = []
    for (const { name, run } of checks) {
      const look = async (): Promise<Finding> => {
        await run()
        return { check: name, state: 'ok', message: 'works' }
      }
      findings.push(await guarded(name, deps, look))
    }
    return findings
  }
  try {
    return await deps.withChecks(checkAll)
  } catch (thrown) {
    return [problem('features', deps, thrown)]
  }
}

const LOOKS: Readonly<Record<string, Look>> = {
  runtime: () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
    return found('runtime', isNew, {
      message: `Node ${process.versions.node}`,
      fix: 'npm ci brings the right one; call through npm start or npx godwit',
    })
  },
  data: ({ config }) => {
    const folder = config.data
    const nearest = existingAncestor(folder)
    fs.accessSync(nearest, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return found('data', true, { message: `${path.resolve(folder)} can be written` })
  },
  space: ({ config }) => {
    const { bavail, bsize } = fs.statfsSync(existingAncestor(config.data))
    const reserve = config['storage.reserveBytes']
    const free = bavail * bsize
    return found('space', free > 2 * reserve, {
      message: `${Math.floor(free / MiB)} MiB free, ${Math.floor(reserve / MiB)} MiB of them reserved`,
      fix: 'free space on this disk, or move the data folder (--data)',
    })
  },
  database: async ({ config, withDatabase }) => {
    await withDatabase(async (database) => {
      await sql`select 1`.execute(database.db)
      if (database.dialect === 'sqlite') await requireIntact(database.db)
    })
    return found('database', true, { message: `${shownDatabaseUrl(config)} answers, schema up to date` })
  },
  accounts: async ({ withDatabase }) => {
    const isNew = await withDatabase(async ({ db }) => isSetupNeeded(db))
    return {
      check: 'accounts',
      state: isNew ? 'warning' : 'ok',
      message: isNew ? 'there is no administrator yet' : 'an administrator exists',
      ...(isNew
        ? {
            fix: 'start the server and open the address it prints, or set GODWIT_ADMIN_ACCOUNT and GODWIT_ADMIN_PASSWORD',
          }
        : {}),
    }
  },
  events: async ({ withDatabase }) => {
    const rows = await withDatabase(({ db }) => listSubscribers(db))
    const parked = rows.reduce((sum, row) => sum + row.parked, 0)
    const failing = rows.filter(({ attempts }) => attempts > 0).map(({ name }) => name)
    if (parked > 0) {
      const fix = 'godwit events parked shows the reasons; godwit events retry tries them again'
      return { check: 'events', state: 'warning', message: `${parked} events could not be handled`, fix }
    }
    const message = failing.length === 0 ? 'no event is parked' : `tried again at the moment: ${failing.join(', ')}`
    return found('events', true, { message })
  },
  port: async ({ config }) => {
    const { host, port } = config
    const fault = await listenFaultAt(host, port)
    if (fault === undefined) return found('port', true, { message: `${host}:${port} is free` })
    // A running Godwit is the good reason for a taken port, and there is no good one for the others.
    const fix = fault.isTaken
      ? 'if no Godwit runs, choose another one with --port'
      : 'choose another one with --host or --port'
    return { check: 'port', state: fault.isTaken ? 'warning' : 'problem', message: fault.message, fix }
  },
}

/** A look makes nothing: what the first start will make is only announced. */
const LOOKS_BEFORE_THE_FIRST_START: Readonly<Record<string, Look>> = {
  database: ({ config }) =>
    Promise.resolve({
      check: 'database',
      state: 'warning',
      message: `nothing is installed in ${path.resolve(config.data)} yet`,
      fix: 'start the server, which makes the database, or choose another folder with --data',
    }),
  accounts: () => Promise.resolve({ check: 'accounts', state: 'warning', message: 'there is no administrator yet' }),
  events: () => Promise.resolve({ check: 'events', state: 'ok', message: 'there are none yet' }),
}

async function guarded(name: string, deps: DoctorDeps, look: Look): Promise<Finding> {
  try {
    return await look(deps)
  } catch (thrown) {
    return problem(name, deps, thrown)
  }
}

function problem(check: string, { config }: DoctorDeps, thrown: unknown): Finding {
  const message = withoutDatabasePassword(reasonOf(thrown), config)
  const fix = thrown instanceof Refused ? undefined : FIXES[check]
  return { check, state: 'problem', message, fix: fix ?? 'see the message' }
}

/** The message with those of its causes, which hold what the database or the system said itself. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { cause } = thrown
  const own =
    thrown instanceof AppError
      ? errorText('en-US', thrown.code)
      : thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name)
  return cause === undefined ? own : `${own}: ${reasonOf(cause)}`
}

const FIXES: Readonly<Record<string, string>> = {
  data: 'give the server its own folder: sudo install -d -o $(id -un) -m 750 DATA, then --data DATA',
  database: 'check GODWIT_DATABASE_URL and that the database runs; a damaged SQLite file: godwit restore',
  storage: 'godwit storage list names the storage, godwit storage test says what is wrong with it',
}

function found(
  check: string,
  isOk: boolean,
  { message, fix }: { readonly message: string; readonly fix?: string },
): Promise<Finding> {
  const mend = isOk || fix === undefined ? {} : { fix }
  return Promise.resolve({ check, state: isOk ? 'ok' : 'problem', message, ...mend })
}

function existingAncestor(folder: string): string {
  let at = path.resolve(folder)
  while (!fs.existsSync(at)) at = path.dirname(at)
  return at
}

async function requireIntact(db: Database['db']): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  if (rows[0]?.integrity_check !== 'ok')
    throw new Error(`SQLite integrity check: ${rows[0]?.integrity_check ?? 'no answer'}`)
}

async function listenFaultAt(host: string, port: number): Promise<ListenFault | undefined> {
  if (port === 0) return undefined
  const server = net.createServer()
  return new Promise((resolve) => {
    server.once('error', (thrown) =>
      resolve(listenFault(thrown, { host, port }) ?? { key: 'port', message: thrown.message, isTaken: false }),
    )
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
