import { isSetupNeeded } from '../identity/setup/index.ts'
import type { UsersDeps } from '../identity/users/index.ts'
import { openStorages, type Storages } from '../foundation/storages/index.ts'
import { databaseUrl, type Config } from '../kernel/config/index.ts'
import { connectDatabase, migrateToLatest, type Database } from '../kernel/db/index.ts'
import { createBus } from '../kernel/events/index.ts'
import { timeOrderedIds } from '../kernel/ids.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import type { Invocation, Io } from './command.types.ts'

/** Opens the installation's database beside a running server; both are safe together. */
export async function withDatabase<T>(call: Invocation, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connectDatabase(databaseUrl(call.loaded.config))
  try {
    await migrateToLatest(database, MIGRATIONS)
    return await work(database)
  } finally {
    await database.close()
  }
}

export async function withStorages<T>(call: Invocation, work: (storages: Storages) => Promise<T>): Promise<T> {
  const { clock, random } = call.io
  const { data, 'storage.reserveBytes': reserveBytes } = call.loaded.config
  const storages = await openStorages({ data, reserveBytes, clock, random })
  try {
    return await work(storages)
  } finally {
    await storages.close()
  }
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

export { isSetupNeeded }
