import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { fakeClock, secureRandom, type Clock, type FakeClock } from '@godwit/base'
import { openStorages, type Storages } from '../foundation/storages/index.ts'
import { openVault } from '../kernel/crypto/index.ts'
import type { Database, DialectName } from '../kernel/db/index.ts'
import { createBus, type Bus } from '../kernel/events/index.ts'
import { createLocks, createMemoryLeases, type Locks } from '../kernel/locks/index.ts'
import { timeOrderedIds, type Ids } from '../kernel/ids.ts'
import type { Ctx } from '../kernel/context.ts'
import { connectMigrated } from './new-databases.ts'

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A migrated database of its own, with the kernel parts that services ask for. Ends with `using`-style disposal. */
export interface World extends AsyncDisposable {
  readonly database: Database
  readonly clock: FakeClock
  readonly bus: Bus
  readonly locks: Locks
  readonly ids: Ids
  readonly folder: string
}

/** @param url `mysql://...` of an empty database; without it a SQLite file in a folder of its own */
export async function openWorld(url?: string): Promise<World> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-world-'))
  const database = await connectMigrated(url ?? `sqlite:${path.join(folder, 'godwit.db')}`)
  const clock = fakeClock()
  return {
    database,
    clock,
    folder,
    locks: newLocks(clock),
    ids: timeOrderedIds(clock, secureRandom),
    bus: createBus((_name, thrown) => {
      throw thrown
    }),
    async [Symbol.asyncDispose]() {
      await database.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of a process that has held nothing yet. */
export function newLocks(clock: Clock): Locks {
  return createLocks({ leases: createMemoryLeases(), clock, random: secureRandom, log: SILENT })
}

/** The storages of a world: one local folder, `files`, as in a new installation. */
export async function openWorldStorages({ database, folder, clock }: World): Promise<Storages> {
  const log = { warn: () => undefined }
  const vault = () => openVault(folder, secureRandom)
  return openStorages({ db: database.db, data: folder, reserveBytes: 0, clock, random: secureRandom, vault, log })
}

/** Both databases, for `describe` in a loop; each `open` gives a new, empty one. */
export const DATABASES: ReadonlyArray<{ readonly dialect: DialectName; readonly open: () => Promise<World> }> = [
  { dialect: 'sqlite', open: () => openWorld() },
  { dialect: 'mysql', open: async () => openWorld(await mariadbUrl()) },
]

/** The context of a caller, for services under test. */
export function callerCtx(change: Partial<Ctx> = {}): Ctx {
  return {
    requestId: 'test',
    principal: undefined,
    door: 'http',
    locale: 'en-US',
    address: '192.0.2.1',
    userAgent: 'test',
    origin: undefined,
    bearer: undefined,
    signal: new AbortController().signal,
    ...change,
  }
}
