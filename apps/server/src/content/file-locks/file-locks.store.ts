import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { FileLockRow } from './file-locks.schema.ts'

/** A place on the storage of a space. */
export interface LockedKey {
  readonly spaceId: number
  readonly key: string
}

export function lockKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The key and those of the folders above it, the nearest first. */
function upwards(key: string): string[] {
  const names = key.split('/')
  return names.map((_name, at) => names.slice(0, names.length - at).join('/'))
}

/** The only SQL over locks of files. */
export const fileLocksStore = {
  async insert(db: Db | Tx, row: FileLockRow): Promise<void> {
    await db.insertInto('file_locks').values(row).execute()
  },

  byToken: (db: Db | Tx, token: string): Promise<FileLockRow | undefined> =>
    db.selectFrom('file_locks').selectAll().where('token', '=', token).executeTakeFirst(),

  async hasAny(db: Db | Tx, spaceId: number, now: number): Promise<boolean> {
    const query = db.selectFrom('file_locks').select('token').where('space_id', '=', spaceId)
    return (await query.where('expires_at', '>', now).limit(1).executeTakeFirst()) !== undefined
  },

  /** Locks of the entry and of the folders above it, whatever their depth. */
  onWay: (db: Db | Tx, { spaceId, key }: LockedKey, now: number): Promise<FileLockRow[]> =>
    db
      .selectFrom('file_locks')
      .selectAll()
      .where('space_id', '=', spaceId)
      .where('key_hash', 'in', upwards(key).map(lockKeyHash))
      .where('expires_at', '>', now)
      .execute(),

  /** Locks of what is below a folder. */
  below: (db: Db | Tx, { spaceId, key }: LockedKey, now: number): Promise<FileLockRow[]> =>
    db
      .selectFrom('file_locks')
      .selectAll()
      .where('space_id', '=', spaceId)
      // '0' is the character behind '/': this range is all that begins with `key/`.
      .where('storage_key', '>', `${key}/`)
      .where('storage_key', '<', `${key}0`)
      .where('expires_at', '>', now)
      .orderBy('storage_key')
      .execute(),

  /** Every lock that counts, the oldest first. */
  all: (db: Db | Tx, now: number): Promise<FileLockRow[]> =>
    db
      .selectFrom('file_locks')
      .selectAll()
      .where('expires_at', '>', now)
      .orderBy('created_at')
      .orderBy('token')
      .limit(10_000)
      .execute(),

  async countOf(db: Db | Tx, userId: string, now: number): Promise<number> {
    const query = db.selectFrom('file_locks').select(({ fn }) => fn.countAll().as('count'))
    const row = await query.where('user_id', '=', userId).where('expires_at', '>', now).executeTakeFirst()
    return Number(row?.count ?? 0)
  },

  async prolong(db: Db | Tx, token: string, expires_at: number): Promise<void> {
    await db.updateTable('file_locks').set({ expires_at }).where('token', '=', token).execute()
  },

  async remove(db: Db | Tx, token: string): Promise<boolean> {
    const removed = await db.deleteFrom('file_locks').where('token', '=', token).executeTakeFirst()
    return removed.numDeletedRows > 0n
  },

  /** Of an entry and all below it. */
  async removeTree(db: Db | Tx, { spaceId, key }: LockedKey): Promise<void> {
    const own = db.deleteFrom('file_locks').where('space_id', '=', spaceId).where('key_hash', '=', lockKeyHash(key))
    await own.execute()
    const below = db.deleteFrom('file_locks').where('space_id', '=', spaceId)
    await below.where('storage_key', '>', `${key}/`).where('storage_key', '<', `${key}0`).execute()
  },

  async removeExpired(db: Db | Tx, before: number): Promise<void> {
    await db.deleteFrom('file_locks').where('expires_at', '<=', before).execute()
  },
}
