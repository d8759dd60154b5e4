import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { GiB, MiB } from '@godwit/base'
import { sql } from 'kysely'
import { certificatesStore, hostOf, presentCertificate } from '../../foundation/certificates/index.ts'
import { filmPrograms } from '../../foundation/conversions/index.ts'
import { configuredSender, hasSender, MAIL_JOB, SYSTEM } from '../../foundation/mail/index.ts'
import { probeParts, storageError, storagesStore } from '../../foundation/storages/index.ts'
import { isSetupNeeded } from '../../identity/setup/index.ts'
import { shownDatabaseUrl } from '../../kernel/config/index.ts'
import { databaseNow, type Database } from '../../kernel/db/index.ts'
import { listSubscribers } from '../../kernel/events/index.ts'
import { countFailedJobs } from '../../kernel/queue/index.ts'
import type { Finding, Look } from './doctor.types.ts'
import { listenFault, type ListenFault } from './listen-faults.ts'

const OLDEST_NODE = [24, 15] as const
/** Sign-ins by codes and signatures of storages allow a few minutes; certificates and links less. */
const CLOCK_MS = 5_000
const HOUR_MS = 3_600_000
/** Warnings of a certificate that its readers meet; that it ends soon is said in days. */
const ENDING_DAYS = 21

/** What is looked at from anywhere. */
export const LOOKS: Readonly<Record<string, Look>> = {
  runtime: () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
    const values = { version: process.versions.node }
    return found(
      isNew ? { state: 'ok', code: 'runtime.ok', values } : { state: 'problem', code: 'runtime.old', values },
    )
  },
  data: ({ config }) => {
    fs.accessSync(existingAncestor(config.data), fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return found({ state: 'ok', code: 'data.ok', values: { folder: path.resolve(config.data) } })
  },
  space: ({ config }) => {
    const { bavail, bsize } = fs.statfsSync(existingAncestor(config.data))
    const reserve = config['storage.reserveBytes']
    const free = bavail * bsize
    const values = { free: (free / GiB).toFixed(1), reserved: Math.floor(reserve / MiB) }
    const isLow = free <= 2 * reserve
    return found(isLow ? { state: 'problem', code: 'space.low', values } : { state: 'ok', code: 'space.ok', values })
  },
  database: async ({ config, withDatabase, isRunning }) => {
    await withDatabase(async (database) => {
      await sql`select 1`.execute(database.db)
      // It reads the whole file, and nothing else is served meanwhile.
      if (database.dialect === 'sqlite' && !isRunning) await requireIntact(database.db)
    })
    return { state: 'ok', code: 'database.ok', values: { database: shownDatabaseUrl(config) } }
  },
  accounts: async ({ withDatabase }) => {
    const isNew = await withDatabase(async ({ db }) => isSetupNeeded(db))
    return isNew ? { state: 'warning', code: 'accounts.none' } : { state: 'ok', code: 'accounts.ok' }
  },
  events: async ({ withDatabase }) => {
    const rows = await withDatabase(({ db }) => listSubscribers(db))
    const parked = rows.reduce((sum, row) => sum + row.parked, 0)
    if (parked > 0) return { state: 'warning', code: 'events.parked', values: { count: parked } }
    const failing = rows.filter(({ attempts }) => attempts > 0).map(({ name }) => name)
    if (failing.length === 0) return { state: 'ok', code: 'events.ok' }
    return { state: 'ok', code: 'events.retried', values: { names: failing.join(', ') } }
  },
  clock: async ({ clock, withDatabase }) => {
    const offMs = await withDatabase(async ({ db, dialect }) => {
      const before = clock.now()
      const { rows } = await sql<{ now: number }>`select ${databaseNow(dialect)} as now`.execute(db)
      return Math.abs(Number(rows[0]?.now) - (before + clock.now()) / 2)
    })
    if (offMs <= CLOCK_MS) return { state: 'ok', code: 'clock.ok' }
    return { state: 'warning', code: 'clock.off', values: { seconds: Math.round(offMs / 1000) } }
  },
  mail: ({ config, clock, withDatabase }) =>
    withDatabase(async ({ db }) => {
      if (!(await hasSender({ db, configured: configuredSender(config) }, SYSTEM)))
        return { state: 'warning', code: 'mail.off' }
      const count = await countFailedJobs(db, { kind: MAIL_JOB, since: clock.now() - HOUR_MS })
      return count > 0 ? { state: 'problem', code: 'mail.failed', values: { count } } : { state: 'ok', code: 'mail.ok' }
    }),
  certificate: async ({ config, clock, withDatabase }) => {
    if (config['tls.port'] === '') return { state: 'ok', code: 'certificate.plain' }
    const row = await withDatabase(({ db }) => certificatesStore.current(db))
    if (row === undefined) return { state: 'problem', code: 'certificate.none' }
    const view = presentCertificate(row, { now: clock.now(), siteHost: hostOf(config.publicUrl) })
    const values = { names: view.names.join(', '), days: Math.max(0, view.daysLeft) }
    if (view.warnings.some((warning) => warning !== 'expires-soon'))
      return { state: 'warning', code: 'certificate.warned', values }
    const isEnding = view.daysLeft <= ENDING_DAYS
    return { state: isEnding ? 'warning' : 'ok', code: isEnding ? 'certificate.ending' : 'certificate.ok', values }
  },
  multipart: async ({ random, withDatabase, withStorages }) => {
    // Storages that never were served cannot be opened, and a folder has no parts to refuse.
    const rows = await withDatabase(({ db }) => storagesStore.all(db))
    if (rows.every(({ kind }) => kind === 'local')) return { state: 'ok', code: 'multipart.none' }
    return withStorages(async (storages): Promise<Finding> => {
      const buckets = storages.all().filter(({ capabilities }) => capabilities.provider !== 'local')
      const tried = await Promise.all(
        buckets.map(async (store): Promise<Finding | undefined> => {
          try {
            await probeParts(store, random)
            return undefined
          } catch (thrown) {
            const values = { storage: storages.idOf(store) }
            return { state: 'problem', code: 'multipart.refused', values, thrown: storageError(thrown) ?? thrown }
          }
        }),
      )
      return tried.find(Boolean) ?? { state: 'ok', code: 'multipart.ok', values: { count: buckets.length } }
    })
  },
  address: ({ config: { publicUrl } }) =>
    found(
      publicUrl === ''
        ? { state: 'warning', code: 'address.none' }
        : { state: 'ok', code: 'address.ok', values: { url: publicUrl } },
    ),
  films: ({ config }) => {
    const said = config['preview.video']
    const programs = filmPrograms(said)
    if (programs !== undefined) return found({ state: 'ok', code: 'films.ok', values: { program: programs.ffmpeg } })
    // Whoever named a program expects it to be used.
    return found({ state: said === 'auto' || said === 'off' ? 'ok' : 'warning', code: 'films.none' })
  },
}

/** A running server has its own port. */
export const LOOKS_OF_A_STOPPED_SERVER: Readonly<Record<string, Look>> = {
  port: async ({ config }) => {
    const { host, port } = config
    const values = { host, port }
    const fault = await listenFaultAt(host, port)
    if (fault === undefined) return { state: 'ok', code: 'port.ok', values }
    // A running Godwit is the good reason for a taken port, and there is no good one for the others.
    if (fault.isTaken) return { state: 'warning', code: 'port.taken', values }
    return { state: 'problem', code: fault.key === 'host' ? 'port.host' : 'port.rights', values }
  },
}

const ABSENT: Look = () => found({ state: 'ok', code: 'events.absent' })

/** A look makes nothing: what the first start will make is only announced. */
export const LOOKS_BEFORE_THE_FIRST_START: Readonly<Record<string, Look>> = {
  database: ({ config }) =>
    found({ state: 'warning', code: 'database.absent', values: { folder: path.resolve(config.data) } }),
  accounts: () => found({ state: 'warning', code: 'accounts.absent' }),
  events: ABSENT,
  clock: () => found({ state: 'ok', code: 'clock.ok' }),
  mail: () => found({ state: 'warning', code: 'mail.off' }),
  certificate: () => found({ state: 'ok', code: 'certificate.plain' }),
  multipart: () => found({ state: 'ok', code: 'multipart.none' }),
}

function found(finding: Finding): Promise<Finding> {
  return Promise.resolve(finding)
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
