import type { Door } from '../../kernel/context.ts'

/** A lock as others meet it. */
export interface HeldLock {
  readonly token: string
  readonly userId: string
  readonly key: string
  readonly isDeep: boolean
  readonly isShared: boolean
}

/** What is about to happen to one key of a storage. */
export interface LockedChange {
  readonly key: string
  /**
   * - content: the bytes of an entry that exists
   * - member: a name comes or goes in its folder
   * - tree: the same, with everything below it
   */
  readonly what: 'content' | 'member' | 'tree'
}

/** Who changes something. A token was shown only at the door that knows tokens. */
export interface Changing {
  readonly userId: string
  readonly door: Door
}

/** Whether a lock is about a change: on the entry itself, deep on a folder above it, on the folder of a name that comes or goes, or below. */
export function isConcerned({ key: locked, isDeep }: HeldLock, { key, what }: LockedChange): boolean {
  if (locked === key) return true
  if (key.startsWith(`${locked}/`)) return isDeep || (what !== 'content' && folderOf(key) === locked)
  return what === 'tree' && locked.startsWith(`${key}/`)
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'))
}

/** The locks that forbid a change: those of others, except shared ones beside a lock of one's own. */
export function forbidding<Lock extends HeldLock>(
  locks: readonly Lock[],
  change: LockedChange,
  who: Changing,
): readonly Lock[] {
  const concerned = locks.filter((lock) => isConcerned(lock, change))
  const isOwn = ({ userId }: HeldLock): boolean => who.door === 'webdav' && userId === who.userId
  const holdsOne = concerned.some(isOwn)
  return concerned.filter((lock) => !isOwn(lock) && !(lock.isShared && holdsOne))
}
