import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { bucketOf } from './quota-buckets.ts'
import { quotasStore } from './quotas.store.ts'

interface FileVersionsTable {
  /** Grows with time: newest first is descending by id. */
  id: string
  /** What its bytes are booked to. */
  bucket: string
  user_id: string
  space_id: number
  group_id: number
  /** SHA-256 of the storage key of its file, which is too long for an index. */
  key_hash: string
  /** Where its file stands. */
  storage_key: string
  /** Where its content is. */
  version_key: string
  size: number
  /** BLAKE3 tree hash; '' where none is recorded. */
  hash: string
  /** When the content was last changed; Unix milliseconds, as `kept_at`. */
  modified_at: number
  /** When something else took its place. */
  kept_at: number
  /** Who put something else in its place: an Origin, as JSON. */
  kept_by: string
  /** 1 from the moment when it is being deleted: it never comes back then. */
  removing: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_versions: FileVersionsTable
  }
}

export type VersionRow = Selectable<FileVersionsTable>

interface VersionedTree {
  readonly spaceId: number
  /** Of a file, or of a folder with all below it. */
  readonly key: string
}

const ROWS_PER_STATEMENT = 500

/** The only SQL over `file_versions`. */
export const versionsStore = {
  async insert(tx: Db | Tx, row: VersionRow): Promise<void> {
    await tx.insertInto('file_versions').values(row).execute()
  },

  byId(db: Db | Tx, id: string): Promise<VersionRow | undefined> {
    return db.selectFrom('file_versions').selectAll().where('id', '=', id).executeTakeFirst()
  },

  /** Newest first, without what is being deleted. */
  ofFile(db: Db | Tx, { spaceId, key }: VersionedTree): Promise<VersionRow[]> {
    const all = db.selectFrom('file_versions').selectAll().where('space_id', '=', spaceId)
    return all.where('key_hash', '=', versionKeyHash(key)).where('removing', '=', 0).orderBy('id', 'desc').execute()
  },

  /** Some of a file, or of all files below a folder, kept until then. */
  async someOf(
    db: Db | Tx,
    { spaceId, key, until, staying = [] }: VersionedTree & Pick<CarriedVersions, 'until' | 'staying'>,
  ): Promise<VersionRow[]> {
    const all = db.selectFrom('file_versions').selectAll().where('space_id', '=', spaceId)
    const some = all.where('kept_at', '<=', until)
    const kept = staying.length === 0 ? some : some.where('id', 'not in', staying)
    const own = await kept.where('key_hash', '=', versionKeyHash(key)).limit(ROWS_PER_STATEMENT).execute()
    if (own.length > 0) return own
    // '0' is the character behind '/': this range is all that begins with `key/`.
    const below = kept.where('storage_key', '>', `${key}/`).where('storage_key', '<', `${key}0`)
    return below.limit(ROWS_PER_STATEMENT).execute()
  },

  /** Some of what a bucket keeps in a space. */
  inBucket(db: Db | Tx, bucket: string, spaceId: number): Promise<VersionRow[]> {
    const kept = db.selectFrom('file_versions').selectAll().where('bucket', '=', bucket)
    return kept.where('space_id', '=', spaceId).limit(ROWS_PER_STATEMENT).execute()
  },

  /** All that a place keeps, in batches. */
  async *ofPlace(
    db: Db,
    { bucket, spaceId, groupId }: { readonly bucket: string; readonly spaceId: number; readonly groupId: number },
  ): AsyncGenerator<readonly VersionRow[], void, void> {
    for (let after = ''; ;) {
      const kept = db.selectFrom('file_versions').selectAll().where('bucket', '=', bucket).where('id', '>', after)
      const here = kept.where('space_id', '=', spaceId).where('group_id', '=', groupId)
      const rows = await here.orderBy('id').limit(ROWS_PER_STATEMENT).execute()
      yield rows
      if (rows.length < ROWS_PER_STATEMENT) return
      after = rows.at(-1)?.id ?? ''
    }
  },

  /** Deletions that were cut short. */
  removing(db: Db | Tx, limit: number): Promise<VersionRow[]> {
    return db.selectFrom('file_versions').selectAll().where('removing', '=', 1).limit(limit).execute()
  },

  /** Gives the way back up. @returns false when it is gone already */
  async markRemoving(db: Db | Tx, id: string): Promise<boolean> {
    const marked = db.updateTable('file_versions').set({ removing: 1 }).where('id', '=', id)
    return (await marked.executeTakeFirst()).numUpdatedRows > 0n
  },

  /** @returns false when it was gone already */
  async remove(db: Db | Tx, id: string): Promise<boolean> {
    return (await db.deleteFrom('file_versions').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
  },
}

export interface CarriedVersions {
  readonly spaceId: number
  readonly from: string
  readonly to: string
  /** Whose they are there. */
  readonly userId: string
  readonly groupId: number
  /** What was kept later belongs to files that came to the old keys after the move. Unix milliseconds. */
  readonly until: number
  /** Ids of those that stay. */
  readonly staying?: readonly string[]
}

/**
 * Versions follow their file, or all files of a folder, to a new key, in batches; their bytes go along to another place. Repeated
 * after a crash it goes on where it was.
 */
export async function carryVersions(db: Db, carry: CarriedVersions): Promise<void> {
  for (;;) {
    const rows = await versionsStore.someOf(db, { ...carry, key: carry.from })
    if (rows.length === 0) return
    await carryVersionRows(db, carry, rows)
  }
}

/** As {@link carryVersions}, for versions that were found already. */
export async function carryVersionRows(db: Db, carry: CarriedVersions, rows: readonly VersionRow[]): Promise<void> {
  const { from, to, userId, groupId } = carry
  const place = { bucket: bucketOf({ userId, groupId }), group_id: groupId }
  await inTransaction(db, async (tx) => {
    for (const { id, storage_key: key } of rows) {
      const storage_key = to + key.slice(from.length)
      const moved = tx
        .updateTable('file_versions')
        .set({ ...place, storage_key, key_hash: versionKeyHash(storage_key) })
      await moved.where('id', '=', id).execute()
    }
    await rebook(tx, rows, place.bucket)
  })
}

/** Bytes follow to the bucket of another place. */
async function rebook(tx: Tx, rows: readonly VersionRow[], to: string): Promise<void> {
  for (const { bucket, size } of rows) {
    if (bucket === to) continue
    await quotasStore.change(tx, { bucket, usedBytes: -Number(size), reservedBytes: 0 })
    await quotasStore.change(tx, { bucket: to, usedBytes: Number(size), reservedBytes: 0 })
  }
}

/** Bytes in kept versions, of an account's personal files or of a group. */
export async function versionBytes(
  db: Db,
  owner: { readonly userId: string; readonly groupId: number },
): Promise<number> {
  const row = await db
    .selectFrom('file_versions')
    .select((select) => select.fn.sum<number | null>('size').as('bytes'))
    .where('bucket', '=', bucketOf(owner))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export function versionKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
