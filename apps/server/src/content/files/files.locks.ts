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
  /**
   * @param work looks at its signal before each change: it aborts with FILE_BUSY when the lease is lost, and others may hold the
   *   folder from then on
   * @throws AppError FILE_BUSY when others hold the folder for 30 s, and what the work throws
   */
  run<T>(folder: FolderRef, work: (held: AbortSignal) => Promise<T>): Promise<T>
  /** The same for several at once. They are taken in one order everywhere, so that nobody waits in a circle. */
  runAll<T>(folders: readonly FolderRef[], work: (held: AbortSignal) => Promise<T>): Promise<T>
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
  readonly bus: Pick<Bus, 'catchUp' | 'flush'>
  readonly storages: Pick<Storages, 'idOf'>
}

const WAIT_MS = 30_000

export function createFolderLocks({ locks, bus, storages }: FolderLocksDeps): FolderLocks {
  const nameOf = ({ store, key }: FolderRef): string => `folder:${storages.idOf(store)}:${key}`
  async function run<T>(name: string, work: (held: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await locks.run(
        name,
        async ({ isContinued, signal }) => {
          const held = busyWhenLost(signal)
          // What the node that held the folder before did there is in our listing from here on.
          if (!isContinued) await bus.catchUp()
          try {
            held.throwIfAborted()
            return await work(held)
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

  async function runAll<T>(
    names: readonly string[],
    work: (held: AbortSignal) => Promise<T>,
    outer: readonly AbortSignal[] = [],
  ): Promise<T> {
    const [first, ...others] = names
    if (first !== undefined) return run(first, (held) => runAll(others, work, [...outer, held]))
    const held = AbortSignal.any([...outer])
    // The first ones may have been lost during the wait for the last.
    held.throwIfAborted()
    return work(held)
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

/** Aborts with what the caller is answered. */
function busyWhenLost(lost: AbortSignal): AbortSignal {
  const busy = new AbortController()
  const abort = (): void => busy.abort(new AppError('FILE_BUSY', undefined, { cause: lost.reason }))
  if (lost.aborted) abort()
  else lost.addEventListener('abort', abort, { once: true })
  return busy.signal
}
