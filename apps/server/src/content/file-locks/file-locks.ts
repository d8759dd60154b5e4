import { randomHex, type Clock, type Random } from '@godwit/base'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { forbidding, type Changing, type LockedChange } from './file-locks.policy.ts'
import type { FileLockRow } from './file-locks.schema.ts'
import { fileLocksStore, lockKeyHash, type LockedKey } from './file-locks.store.ts'

/** A lock on an entry, or on a name that nothing has yet. */
export interface FileLock extends LockedKey {
  readonly token: string
  readonly userId: string
  readonly apiTokenId: string
  readonly groupId: number
  readonly path: string
  readonly isDeep: boolean
  readonly isShared: boolean
  readonly owner: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface WantedLock extends Omit<FileLock, 'token' | 'createdAt' | 'expiresAt'> {
  readonly timeoutMs: number
  /** Locks that one account may have at once. */
  readonly most: number
}

/** No lock lasts longer without being asked for again. */
export const LOCK_MAX_MS = 3_600_000

/**
 * Locks that a client holds on files, for every node, in the database. They hold against every way of changing files; that
 * of the protocol which gives them out checks its own tokens first. A lock ends with its time, with the entry, and with the right
 * or the token of its holder, which is looked at whenever it stands in somebody's way.
 */
export interface FileLocks {
  /** Whether anything in a space is locked: mostly nothing is. */
  hasAny(spaceId: number): Promise<boolean>
  /** @throws AppError FILE_LOCKED */
  require(spaceId: number, changes: readonly LockedChange[], who: Changing): Promise<void>
  /** Locks of the entry itself and deep ones above it. */
  on(place: LockedKey): Promise<FileLock[]>
  /** Locks that are about a change, whoever has them. */
  about(spaceId: number, change: LockedChange): Promise<FileLock[]>
  /** Call it while holding the folder of the entry. @throws AppError FILE_LOCKED, FILE_LOCK_LIMIT */
  take(wanted: WantedLock): Promise<FileLock>
  /** @returns undefined for a lock that is not there or another's */
  prolong(token: string, userId: string, timeoutMs: number): Promise<FileLock | undefined>
  /** @returns false for a lock that is not there or another's */
  release(token: string, userId: string): Promise<boolean>
  sweep(): Promise<void>
}

export interface FileLocksDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  /** Whether the holder still has the token, the account and the right. */
  readonly mayHold: (lock: FileLock) => Promise<boolean>
}

// One piece: what stands in the way is looked up the same by all of them.
export function createFileLocks(deps: FileLocksDeps): FileLocks {
  const { db, clock, random } = deps

  /** Locks that may be about a change. */
  async function near(spaceId: number, { key, what }: LockedChange): Promise<FileLock[]> {
    const now = clock.now()
    const rows = await fileLocksStore.onWay(db, { spaceId, key }, now)
    const below = what === 'tree' ? await fileLocksStore.below(db, { spaceId, key }, now) : []
    return [...rows, ...below].map(asLock)
  }

  /** @returns the locks whose holders have lost the right or the token left out, which ends them */
  async function alive(locks: readonly FileLock[]): Promise<FileLock[]> {
    const held: FileLock[] = []
    for (const lock of locks) {
      if (await deps.mayHold(lock)) held.push(lock)
      else await fileLocksStore.remove(db, lock.token)
    }
    return held
  }

  async function about(spaceId: number, change: LockedChange): Promise<FileLock[]> {
    const everyone = { userId: '', door: 'schedule' } as const
    return alive(forbidding(await near(spaceId, change), change, everyone))
  }

  return {
    about,
    hasAny: (spaceId) => fileLocksStore.hasAny(db, spaceId, clock.now()),
    async require(spaceId, changes, who) {
      if (!(await fileLocksStore.hasAny(db, spaceId, clock.now()))) return
      for (const change of changes) {
        const inTheWay = await alive(forbidding(await near(spaceId, change), change, who))
        const [first] = inTheWay
        if (first !== undefined) throw lockedBy(first)
      }
    },
    async on({ spaceId, key }) {
      const rows = await fileLocksStore.onWay(db, { spaceId, key }, clock.now())
      return alive(rows.map(asLock).filter((lock) => lock.key === key || lock.isDeep))
    },
    async take({ timeoutMs, most, ...wanted }) {
      const change = { key: wanted.key, what: wanted.isDeep ? 'tree' : 'content' } as const
      const others = await about(wanted.spaceId, change)
      const refused = others.find((lock) => !lock.isShared || !wanted.isShared)
      if (refused !== undefined) throw lockedBy(refused)
      const now = clock.now()
      const lock = { ...wanted, token: randomHex(random, 16), createdAt: now, expiresAt: now + limited(timeoutMs) }
      await inTransaction(db, async (tx) => {
        if ((await fileLocksStore.countOf(tx, wanted.userId, now)) >= most) throw new AppError('FILE_LOCK_LIMIT')
        await fileLocksStore.insert(tx, asRow(lock))
      })
      return lock
    },
    async prolong(token, userId, timeoutMs) {
      const row = await fileLocksStore.byToken(db, token)
      if (row?.user_id !== userId || row.expires_at <= clock.now()) return undefined
      const expiresAt = clock.now() + limited(timeoutMs)
      await fileLocksStore.prolong(db, token, expiresAt)
      return { ...asLock(row), expiresAt }
    },
    async release(token, userId) {
      const row = await fileLocksStore.byToken(db, token)
      return row?.user_id === userId && (await fileLocksStore.remove(db, token))
    },
    sweep: () => fileLocksStore.removeExpired(db, clock.now()),
  }
}

/** What was locked is not there any more: it went to another name, or to the bin. */
export function endLocks(tx: Tx, place: LockedKey): Promise<void> {
  return fileLocksStore.removeTree(tx, place)
}

function lockedBy({ key }: FileLock): AppError {
  return new AppError('FILE_LOCKED', { name: key.slice(key.lastIndexOf('/') + 1) })
}

function limited(timeoutMs: number): number {
  return Math.min(Math.max(timeoutMs, 1_000), LOCK_MAX_MS)
}

function asLock(row: FileLockRow): FileLock {
  return {
    token: row.token,
    userId: row.user_id,
    apiTokenId: row.api_token_id,
    spaceId: row.space_id,
    groupId: row.group_id,
    key: row.storage_key,
    path: row.path,
    isDeep: row.is_deep === 1,
    isShared: row.is_shared === 1,
    owner: row.owner,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  }
}

function asRow(lock: FileLock): FileLockRow {
  return {
    token: lock.token,
    user_id: lock.userId,
    api_token_id: lock.apiTokenId,
    space_id: lock.spaceId,
    group_id: lock.groupId,
    key_hash: lockKeyHash(lock.key),
    storage_key: lock.key,
    path: lock.path,
    is_deep: lock.isDeep ? 1 : 0,
    is_shared: lock.isShared ? 1 : 0,
    owner: lock.owner,
    created_at: lock.createdAt,
    expires_at: lock.expiresAt,
  }
}
