import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { sql } from 'kysely'
import { shownDatabaseUrl, withoutDatabasePassword } from '../kernel/config/index.ts'
import type { Database } from '../kernel/db/index.ts'
import { listSubscribers } from '../kernel/events/index.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { listenFault, type ListenFault } from './listen-faults.ts'
import { isInstalled, isSetupNeeded, withDatabase, withStorages } from './installation.ts'

interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What mends it, as a command or a short instruction. */
  readonly fix?: string
}

type Check = (call: Invocation) => Promise<Finding>

const OLDEST_NODE = [24, 15] as const

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Look for what would keep the server from working, each with what mends it',
  positionals: [],
  options: {},
  examples: ['godwit doctor', 'godwit doctor --data /srv/godwit --json'],
  run: async (call) => {
    const findings: Finding[] = []
    const checks = isInstalled(call) ? CHECKS : { ...CHECKS, ...CHECKS_BEFORE_THE_FIRST_START }
    for (const [name, check] of Object.entries(checks)) findings.push(await guarded(name, check, call))
    const lines = findings.map(({ check, state, message, fix }) =>
      [
        `${state.padEnd(7)}  ${check.padEnd(10)}  ${message}`,
        ...(fix === undefined ? [] : [`${' '.repeat(21)}mend: ${fix}`]),
      ].join('\n'),
    )
    call.show(findings, lines.join('\n'))
    return findings.some(({ state }) => state === 'problem') ? EXIT.problems : EXIT.ok
  },
}

const CHECKS: Readonly<Record<string, Check>> = {
  runtime: () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
    return found('runtime', isNew, {
      message: `Node ${process.versions.node}`,
      fix: 'npm ci brings the right one; call through npm start or npx godwit',
    })
  },
  data: ({ loaded }) => {
    const folder = loaded.config.data
    const nearest = existingAncestor(folder)
    fs.accessSync(nearest, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return found('data', true, { message: `${path.resolve(folder)} can be written` })
  },
  space: ({ loaded }) => {
    const { bavail, bsize } = fs.statfsSync(existingAncestor(loaded.config.data))
    const reserve = loaded.config['storage.reserveBytes']
    const free = bavail * bsize
    return found('space', free > 2 * reserve, {
      message: `${Math.floor(free / MiB)} MiB free, ${Math.floor(reserve / MiB)} MiB of them reserved`,
      fix: 'free space on this disk, or move the data folder (--data)',
    })
  },
  database: async (call) => {
    await withDatabase(call, async (database) => {
      await sql`select 1`.execute(database.db)
      if (database.dialect === 'sqlite') await requireIntact(database.db)
    })
    return found('database', true, { message: `${shownDatabaseUrl(call.loaded.config)} answers, schema up to date` })
  },
  accounts: async (call) => {
    const isNew = await withDatabase(call, async ({ db }) => isSetupNeeded(db))
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
  storage: async (call) => {
    await withStorages(call, async (storages) => Promise.all(storages.all().map(async (store) => store.stat(''))))
    return found('storage', true, { message: 'every storage answers' })
  },
  events: async (call) => {
    const rows = await withDatabase(call, ({ db }) => listSubscribers(db))
    const parked = rows.reduce((sum, row) => sum + row.parked, 0)
    const failing = rows.filter(({ attempts }) => attempts > 0).map(({ name }) => name)
    if (parked > 0) {
      const fix = 'godwit events parked shows the reasons; godwit events retry tries them again'
      return { check: 'events', state: 'warning', message: `${parked} events could not be handled`, fix }
    }
    const message = failing.length === 0 ? 'no event is parked' : `tried again at the moment: ${failing.join(', ')}`
    return found('events', true, { message })
  },
  port: async ({ loaded }) => {
    const { host, port } = loaded.config
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
const CHECKS_BEFORE_THE_FIRST_START: Readonly<Record<string, Check>> = {
  database: ({ loaded }) =>
    Promise.resolve({
      check: 'database',
      state: 'warning',
      message: `nothing is installed in ${path.resolve(loaded.config.data)} yet`,
      fix: 'start the server, which makes the database, or choose another folder with --data',
    }),
  accounts: () => Promise.resolve({ check: 'accounts', state: 'warning', message: 'there is no administrator yet' }),
  storage: () => Promise.resolve({ check: 'storage', state: 'ok', message: 'the first start makes the folder' }),
  events: () => Promise.resolve({ check: 'events', state: 'ok', message: 'there are none yet' }),
}

async function guarded(name: string, check: Check, call: Invocation): Promise<Finding> {
  try {
    return await check(call)
  } catch (thrown) {
    const message = withoutDatabasePassword(reasonOf(thrown), call.loaded.config)
    return { check: name, state: 'problem', message, fix: FIXES[name] ?? 'see the message' }
  }
}

/** The message with those of its causes, which hold what the database or the system said itself. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { cause } = thrown
  const own = thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name)
  return cause === undefined ? own : `${own}: ${reasonOf(cause)}`
}

const FIXES: Readonly<Record<string, string>> = {
  data: 'give the server its own folder: sudo install -d -o $(id -un) -m 750 DATA, then --data DATA',
  database: 'check GODWIT_DATABASE_URL and that the database runs; a damaged SQLite file: godwit restore',
  storage: 'check that the disk is mounted and that the server may write to it',
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
