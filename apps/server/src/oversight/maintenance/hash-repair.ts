import { LIMITS } from '@godwit/contract'
import type { Entry, ObjectStore } from '@godwit/storage'
import { forgetHashOf, replaceHash, type KnownHash } from '../../content/quotas/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { MaintenanceDeps } from './maintenance.deps.ts'

export interface HashRepair {
  readonly key: string
  /**
   * recorded: there was no hash
   * renewed: the file was written to from outside; the hash is that of what is there now
   * retagged: the content is what was stored, on another place of the disk or with another time
   */
  readonly change: 'recorded' | 'renewed' | 'retagged'
}

interface RepairDeps extends Pick<MaintenanceDeps, 'clock'> {
  readonly db: Db
}

/** A file as it was read. */
export interface ReadFile {
  readonly store: ObjectStore
  readonly entry: Entry
  readonly hash: string
  /** What is recorded at its key. */
  readonly recorded: Omit<KnownHash, 'key'> | undefined
}

/**
 * Records the hash of a file that was read. A file that is written, moved or removed meanwhile is left to whoever does that.
 * @returns undefined when nothing was recorded
 */
export async function repairHash(deps: RepairDeps, file: ReadFile): Promise<HashRepair | undefined> {
  const { store, hash, recorded } = file
  const { key, etag } = file.entry
  const spaceId = recorded?.spaceId ?? (await spaceOf(deps.db, key))
  if (spaceId === undefined || !(await isUnchanged(store, file.entry))) return undefined
  if (!(await replaceHash(deps, { spaceId, key, etag, hash }, recorded?.etag))) return undefined
  if (!(await isUnchanged(store, file.entry))) {
    // A hash at a place where its file no longer is would be reported as a missing file.
    await forgetHashOf(deps.db, { spaceId, key, etag })
    return undefined
  }
  if (recorded === undefined) return { key, change: 'recorded' }
  return { key, change: recorded.hash === hash ? 'retagged' : 'renewed' }
}

/** Whether the same content still stands there. */
export async function isUnchanged(store: ObjectStore, { key, etag }: Entry): Promise<boolean> {
  return (await store.stat(key))?.etag === etag
}

/** The space whose files begin with these folders. @returns undefined for a recycled file that no row knows of */
async function spaceOf(db: Db, key: string): Promise<number | undefined> {
  const [top = '', second = '', third = ''] = key.split('/')
  if (top === 'spaces') return Number(second)
  if (top !== RECYCLED) return LIMITS.defaultSpaceId
  const item = db.selectFrom('recycle_items').select('space_id').where('storage_key', '=', `${top}/${second}/${third}`)
  return (await item.executeTakeFirst())?.space_id
}

const RECYCLED = '.godwit-recycle'
