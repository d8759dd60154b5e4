import { secureRandom, type Clock, type Random } from '@godwit/base'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import { timeOrderedIds } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/context.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import { createAccess, type Access, type RulesSource } from '../access/index.ts'
import { mayHoldLock } from './files.lock-holders.ts'
import { createFolderLocks, type FolderLocks } from './files.locks.ts'
import { createSteps, type Steps } from './steps/index.ts'
import { createFileLocks, type FileLocks } from '../file-locks/index.ts'
import { createKeptVersions, type KeptVersions } from '../kept-versions/index.ts'
import { createListingCache, FolderListings } from '../listings/index.ts'

/** What everything that touches files is given. */
export interface FilesDeps {
  readonly access: Access
  readonly storages: Storages
  readonly db: Db
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Log
  readonly indexes: FolderListings
  readonly locks: FolderLocks
  readonly steps: Steps
  readonly versions: KeptVersions
  /** Locks that clients hold on files. */
  readonly fileLocks: FileLocks
}

/** Where indexes of big folders outlive the process. */
interface Keeping {
  readonly cacheFolder: string
  readonly random: Random
}

export function createFiles(
  deps: Pick<FilesDeps, 'storages' | 'db' | 'bus' | 'clock' | 'log'> & {
    readonly locks: Locks
    readonly rulesOf?: RulesSource
    /** Absent: no versions are kept. */
    readonly settings?: Settings
  },
  keeping?: Keeping,
): FilesDeps {
  const { storages } = deps
  const indexes = new FolderListings({
    clock: deps.clock,
    log: deps.log,
    onFound: ({ store, key }) => deps.bus.publish('folder.changed', { storageId: storages.idOf(store), key }),
    cache: keeping && createListingCache({ ...keeping, nameOf: (store) => String(storages.idOf(store)) }),
  })
  const locks = createFolderLocks(deps)
  const { db, clock, settings } = deps
  const versions = createKeptVersions({ db, clock, settings, ids: timeOrderedIds(clock, secureRandom) })
  const access = createAccess(deps)
  const mayHold = mayHoldLock({ db, clock, access })
  const fileLocks = createFileLocks({ db, clock, random: secureRandom, mayHold })
  const steps = createSteps({ ...deps, indexes, locks, versions, fileLocks })
  return { ...deps, access, indexes, locks, steps, versions, fileLocks }
}
