import { RESERVED_NAME } from '@godwit/contract'
import { StorageError, type Entry, type ObjectStore } from '@godwit/storage'
import type { Settings } from '../../foundation/settings/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import type { Clock } from '@godwit/base'
import type { Ids } from '../../kernel/ids.ts'
import type { PlaceIds } from '../access/index.ts'
import type { Origin } from '../file-events/index.ts'
import { bucketOf, changeUsage, hashAt, versionKeyHash, versionsStore, type VersionRow } from '../quotas/index.ts'
import { VERSION_SETTINGS } from './kept-versions.settings.ts'

/** Below this no name of a user begins, so nothing in it can be listed or reached by a path. */
const VERSIONS = `${RESERVED_NAME}-versions`

/** A file that is about to be replaced. */
interface Replacing {
  readonly store: ObjectStore
  readonly place: PlaceIds
  readonly key: string
  /** The account whose file it is. */
  readonly userId: string
  readonly origin: Origin
}

/**
 * Keeps the content of a file that is replaced. Whoever replaces it writes the plan down with the change, puts the content aside,
 * takes its step, and books both in one transaction, or puts the content back. Each may be repeated after a crash.
 */
export interface KeptVersions {
  /** @returns undefined where no versions are kept, or there is no file. @param isAlways whatever the settings say */
  plan(replacing: Replacing, isAlways?: boolean): Promise<VersionRow | undefined>
  /** Call it while holding the folder of the file. Where a move is one atomic step, the name is free afterwards. */
  putAside(store: ObjectStore, version: VersionRow): Promise<void>
  /** Nothing took its place. */
  putBack(store: ObjectStore, version: VersionRow): Promise<void>
  /** What was put aside, with its real size; undefined when there was nothing any more. */
  asKept(store: ObjectStore, version: VersionRow | undefined): Promise<VersionRow | undefined>
  /** How many a place keeps; 0: none. */
  limitOf(place: PlaceIds): Promise<number>
}

export interface KeptVersionsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  /** Absent: nothing is kept. */
  readonly settings: Settings | undefined
}

export function createKeptVersions({ db, clock, ids, settings }: KeptVersionsDeps): KeptVersions {
  async function limitOf({ spaceId, groupId }: PlaceIds): Promise<number> {
    const target = groupId <= 0 ? { spaceId } : { spaceId, groupId }
    return (await settings?.of(VERSION_SETTINGS, target))?.['versions.keep'] ?? 0
  }

  async function plan({ store, place, key, userId, origin }: Replacing, isAlways = false) {
    if (!isAlways && (await limitOf(place)) === 0) return undefined
    const entry = await store.stat(key)
    if (entry?.kind !== 'file') return undefined
    const { spaceId, groupId } = place
    const recorded = await hashAt(db, { spaceIds: [spaceId], key })
    const id = ids.next()
    const bucket = bucketOf({ userId, groupId })
    return {
      id,
      bucket,
      user_id: userId,
      space_id: spaceId,
      group_id: groupId,
      key_hash: versionKeyHash(key),
      storage_key: key,
      version_key: `${VERSIONS}/${bucket.replace(':', '-')}/${id}`,
      size: entry.size,
      hash: recorded?.etag === entry.etag ? recorded.hash : '',
      modified_at: Math.trunc(entry.modifiedMs),
      kept_at: clock.now(),
      kept_by: JSON.stringify(origin),
      removing: 0,
    }
  }

  return {
    limitOf,
    plan,
    putAside,
    async putBack(store, version) {
      const { version_key: from, storage_key: key } = version
      const { atomicMove } = store.capabilities
      try {
        await unlessMissing(atomicMove ? store.move(from, key, { conflict: 'fail' }) : store.remove(from))
      } catch (thrown) {
        if (!(thrown instanceof StorageError) || thrown.reason !== 'exists') throw thrown
        // Somebody outside took the name meanwhile: the content stays as a version, and its bytes are booked already.
        if ((await versionsStore.byId(db, version.id)) === undefined) await versionsStore.insert(db, version)
      }
    },
    async asKept(store, version) {
      const entry = version && (await store.stat(version.version_key))
      return entry && version && { ...version, size: entry.size }
    },
  }
}

async function putAside(store: ObjectStore, { storage_key: key, version_key: to }: VersionRow): Promise<void> {
  if ((await store.stat(to)) !== undefined) return
  try {
    await take(store, key, to)
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown
    // The folder of versions appears with its first use; a missing file fails again.
    await store.ensureFolder(to.slice(0, to.lastIndexOf('/')))
    await unlessMissing(take(store, key, to))
  }
}

/** One atomic step where there is one; a bucket replaces in one step, so that its file stays until then. */
function take(store: ObjectStore, from: string, to: string): Promise<Entry> {
  const how = { conflict: 'fail' } as const
  return store.capabilities.atomicMove ? store.move(from, to, how) : store.copy(from, to, how)
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof StorageError && thrown.reason === 'not-found'
}

export async function unlessMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown
  }
}

interface VersionedTree {
  readonly store: ObjectStore
  readonly spaceId: number
  /** Of a file, or of a folder with all below it. */
  readonly key: string
}

/** Deletes all versions of a file, or of a folder with all below it, that is gone for good. */
export async function forgetVersions(db: Db, { store, spaceId, key }: VersionedTree): Promise<void> {
  for (;;) {
    const rows = await versionsStore.someOf(db, { spaceId, key, until: Number.MAX_SAFE_INTEGER })
    if (rows.length === 0) return
    for (const row of rows) await forgetVersion(db, store, row)
  }
}

/** Deletes a version for good, with its bytes in the books, once. @param also belongs into the same transaction */
export async function forgetVersion(
  db: Db,
  store: ObjectStore,
  { id, version_key: key, bucket, size }: VersionRow,
  also: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  // The way back is given up first: half a version is never restored.
  if (!(await versionsStore.markRemoving(db, id))) return
  await unlessMissing(store.remove(key))
  await inTransaction(db, async (tx) => {
    if (!(await versionsStore.remove(tx, id))) return
    await changeUsage(tx, { bucket, usedBytes: -Number(size), reservedBytes: 0 })
    await also(tx)
  })
}
