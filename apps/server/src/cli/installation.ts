import fs from 'node:fs'
import path from 'node:path'
import type { UsersDeps } from '../identity/users/index.ts'
import { isVaultKeyKnown } from '../foundation/installation/index.ts'
import { lookAtTerms, type LicenceDeps, type LicenceTerms } from '../foundation/licence/index.ts'
import { createSettings } from '../foundation/settings/index.ts'
import { ensureInstallation, withStorages as withOpenStorages, type Storages } from '../foundation/storages/index.ts'
import { databaseUrl, type Config } from '../kernel/config/index.ts'
import { openVault } from '../kernel/crypto/index.ts'
import { connectDatabase, migrateToLatest, type Database } from '../kernel/db/index.ts'
import { createBus } from '../kernel/events/index.ts'
import { timeOrderedIds } from '../kernel/ids.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import type { MaintenanceDeps } from '../oversight/maintenance/index.ts'
import { CommandFailure } from './command-failure.ts'
import type { Invocation, Io } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

/**
 * Opens the installation's database beside a running server; both are safe together.
 * @throws CommandFailure where nothing is installed: a mistyped folder must not look like an empty installation
 * @throws Refused with another key than that of the sealed secrets
 */
export async function withDatabase<T>(call: Invocation, work: (database: Database) => Promise<T>): Promise<T> {
  return withAnyVaultKey(call, async (database) => {
    await requireRightVaultKey(call, database)
    return work(database)
  })
}

/** The same, also where the key of the sealed secrets is missing or is another one. */
export async function withAnyVaultKey<T>(call: Invocation, work: (database: Database) => Promise<T>): Promise<T> {
  requireInstalled(call)
  return onDatabase(call, work)
}

/** @throws CommandFailure where nothing is installed */
export function requireInstalled(call: Invocation): void {
  if (isInstalled(call)) return
  const data = path.resolve(call.loaded.config.data)
  throw new CommandFailure(EXIT.notFound, `nothing is installed in ${data}: choose the folder with --data`)
}

/** Of a database that was never served the first start notes the key. @throws Refused */
async function requireRightVaultKey({ io, loaded }: Invocation, { db }: Database): Promise<void> {
  await isVaultKeyKnown({ db, data: loaded.config.data, random: io.random })
}

/**
 * The same for commands that prepare an installation before its first start: the database is made where there is none.
 * @throws Refused beside the files of another installation
 */
export async function withNewDatabase<T>(call: Invocation, work: (database: Database) => Promise<T>): Promise<T> {
  return onDatabase(call, async (database) => {
    const { clock, random } = call.io
    await requireRightVaultKey(call, database)
    await ensureInstallation({ db: database.db, data: call.loaded.config.data, clock, random })
    return work(database)
  })
}

async function onDatabase<T>({ loaded }: Invocation, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connectDatabase(databaseUrl(loaded.config))
  try {
    await migrateToLatest(database, MIGRATIONS)
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Whether there is a database to open. A database server says so itself. */
export function isInstalled({ loaded }: Invocation): boolean {
  const url = databaseUrl(loaded.config)
  return !url.startsWith('sqlite:') || fs.existsSync(url.slice('sqlite:'.length))
}

/** Opens the storages beside a running server. @throws Refused when one is not what it should be */
export async function withStorages<T>(
  { io, loaded }: Invocation,
  { db }: Pick<Database, 'db'>,
  work: (storages: Storages) => Promise<T>,
): Promise<T> {
  const { clock, random } = io
  const { data, 'storage.reserveBytes': reserveBytes } = loaded.config
  const place = { data, reserveBytes, vault: () => openVault(data, random) }
  // What is wrong with a storage is said by the command that needs it.
  const log = { warn: () => undefined }
  return withOpenStorages({ ...place, db, clock, random, log }, work)
}

/** What verify and backup need, beside a running server. */
export async function withMaintenance<T>(call: Invocation, work: (deps: MaintenanceDeps) => Promise<T>): Promise<T> {
  const { clock, random, signal } = call.io
  const { data } = call.loaded.config
  return withDatabase(call, (database) =>
    withStorages(call, database, (storages) => work({ database, storages, data, clock, random, signal })),
  )
}

/** What the account commands need. A running server learns of the change from the database within seconds. */
export function usersDeps(io: Io, database: Database, config: Config): UsersDeps {
  return {
    db: database.db,
    clock: io.clock,
    random: io.random,
    ids: timeOrderedIds(io.clock, io.random),
    bus: createBus((_name, thrown) => {
      throw thrown
    }),
    passwordPreset: config['security.passwordPreset'],
  }
}

/** What installs and reads licences. */
export function licenceDeps({ io, loaded }: Invocation, { db }: Database): LicenceDeps {
  const { clock, random } = io
  return { db, clock, ids: timeOrderedIds(clock, random), issuerKey: loaded.config['licence.issuerKey'] }
}

/** What the edition allows now. */
export function licenceTerms(call: Invocation, database: Database): Promise<LicenceTerms> {
  const { db } = database
  const settings = createSettings({ db, clock: call.io.clock, log: { warn: () => undefined } })
  return lookAtTerms({ ...licenceDeps(call, database), settings })
}
