import type { Storages } from '../../foundation/storages/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { LockBusy, type Claim, type Locks } from '../../kernel/locks/index.ts'
import { foldName } from '../access/index.ts'
import type { FolderRef } from '../listings/index.ts'

/** Names that are on their way into a folder. */
export interface ClaimedNames {
  /** The one that a disk which folds case would take for `name`; the same name counts too. */
  like(name: string): string | undefined
}

/** Holds folders one at a time, on all nodes, so that of two names that clash only one is taken. */
export interface FolderLocks {
  /** @throws AppError FILE_BUSY when others hold the folder for 30 s, and what the work throws */
  run<T>(folder: FolderRef, work: () => Promise<T>): Promise<T>
  /** The same for several at once. They are taken in one order everywhere, so that nobody waits in a circle. */
  runAll<T>(folders: readonly FolderRef[], work: () => Promise<T>): Promise<T>
  /**
   * Takes the name of an entry that is on its way, for longer than a folder can be held. Call it while holding the folder,
   * after the look at its names.
   * @throws AppError PATH_EXISTS for a claimed name
   */
  claim(folder: FolderRef, name: string): Promise<Claim>
  claimedIn(folder: FolderRef): Promise<ClaimedNames>
}

export interface FolderLocksDeps {
  readonly locks: Locks
  readonly bus: Bus
  readonly storages: Pick<Storages, 'idOf'>
}

const WAIT_MS = 30_000

export function createFolderLocks({ locks, bus, storages }: FolderLocksDeps): FolderLocks {
  const nameOf = ({ store, key }: FolderRef): string => `folder:${storages.idOf(store)}:${key}`
  async function run<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await locks.run(
        name,
        async ({ isContinued }) => {
          // What the node that held the folder before did there is in our listing from here on.
          if (!isContinued) await bus.catchUp()
          try {
            return await work()
          } finally {
            await bus.flush()
          }
        },
        { waitMs: WAIT_MS },
      )
    } catch (thrown) {
      if (thrown instanceof LockBusy) throw new AppError('FILE_BUSY', undefined, { cause: thrown })
      throw thrown
    }
  }

  function runAll<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...others] = names
    return first === undefined ? work() : run(first, () => runAll(others, work))
  }

  return {
    run: (folder, work) => run(nameOf(folder), work),
    runAll: (folders, work) => runAll([...new Set(folders.map(nameOf))].toSorted(), work),
    async claim(folder, name) {
      const claim = await locks.claim(nameOf(folder), foldName(name), name)
      if (claim === undefined) throw new AppError('PATH_EXISTS', { name })
      return claim
    },
    async claimedIn(folder) {
      const claims = await locks.claims(nameOf(folder))
      return { like: (name) => claims.get(foldName(name)) }
    },
  }
}
