import { realpath, stat } from 'node:fs/promises'
import { dirname, posix, resolve } from 'node:path'
import type { SyncDirection } from '@godwit/contract'
import { isWithin, type Watch, writePreferences } from '../profiles/preferences.ts'
import type { Queue, QueueItem } from '../queue/queue.ts'

/** @returns the folder without links; undefined when there is none at this path */
export async function realFolder(path: string): Promise<string | undefined> {
  const found = await stat(resolve(path)).catch(() => undefined)
  return found?.isDirectory() === true ? realpath(resolve(path)) : undefined
}

/** Code of a watched folder that is not on this computer now: its drive may come back. */
export const FOLDER_MISSING = 'folder-missing'

export class FolderMissingError extends Error {
  constructor() {
    super(FOLDER_MISSING)
  }
}

/** Nothing is written where a drive would be that is not there. @throws FolderMissingError */
export async function requireWatched(root: string): Promise<void> {
  if ((await realFolder(root)) === undefined) throw new FolderMissingError()
}

/** One folder lies in the other, and what it brings the other one sends: without end. */
export class WatchLoopError extends Error {}

/**
 * Watches a folder, in place of what it was watched for before: what is known of it is forgotten where that was another account, place or
 * direction, so that all of it goes there.
 * @throws WatchLoopError
 */
export async function addWatch(
  environment: NodeJS.ProcessEnv,
  queue: Pick<Queue, 'watched'>,
  added: Watch,
): Promise<void> {
  // As the server writes it, for what the queue holds is compared with it.
  const target = posix.resolve('/', added.target)
  let before: Watch | undefined
  await writePreferences(environment, ({ watches }) => {
    before = watches.find(({ root }) => root === added.root)
    const others = watches.filter(({ root }) => root !== added.root)
    const loop = others.find((other) => isLoop(other, added))
    if (loop !== undefined)
      throw new WatchLoopError(`${loop.root} is kept in sync the other way, and one lies in the other`)
    return { watches: [...others, { ...added, target }] }
  })
  if (before !== undefined && aimOf(before) !== aimOf({ ...added, target })) queue.watched.forget(added.root)
}

/** The two ends of a watch, and which way it goes. */
function aimOf(watch: Watch): string {
  const { root, server, account, spaceId, groupId, target } = watch
  return JSON.stringify([root, server, account, spaceId, groupId, target, directionOf(watch)])
}

/**
 * Forgets what is known of a folder that is watched for something else than at the look before: that look may have been under way when it
 * changed, and noted what it queued for the old place.
 */
export class ChangedWatches {
  readonly #aims = new Map<string, string>()

  forget(queue: Pick<Queue, 'watched'>, watches: readonly Watch[]): void {
    for (const watch of watches) {
      const aim = aimOf(watch)
      if ((this.#aims.get(watch.root) ?? aim) !== aim) queue.watched.forget(watch.root)
      this.#aims.set(watch.root, aim)
    }
  }
}

function isLoop(one: Watch, other: Watch): boolean {
  const isNested = isWithin(one.root, other.root) || isWithin(other.root, one.root)
  return isNested && one.server === other.server && directionOf(one) !== directionOf(other)
}

export function directionOf({ direction = 'upload' }: Pick<Watch, 'direction'>): SyncDirection {
  return direction
}

/** @returns the watched folder that what the queue holds belongs to */
export function watchOf(
  watches: readonly Watch[],
  { server, account, direction, paths, target }: QueueItem,
): Watch | undefined {
  const [path = ''] = paths
  return watches.find((watch) => {
    if (watch.server !== server || watch.account !== account || directionOf(watch) !== direction) return false
    if (direction === 'upload') return watch.root === dirname(path)
    return watch.root === target && watch.target === posix.dirname(path)
  })
}

/** @returns whether the folder was watched */
export async function removeWatch(
  environment: NodeJS.ProcessEnv,
  queue: Pick<Queue, 'watched'>,
  root: string,
): Promise<boolean> {
  let isThere = false
  await writePreferences(environment, ({ watches }) => {
    isThere = watches.some((other) => other.root === root)
    return { watches: watches.filter((other) => other.root !== root) }
  })
  if (isThere) queue.watched.forget(root)
  return isThere
}
