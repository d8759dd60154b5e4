import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import { sql } from 'kysely'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'

interface FileHashesTable {
  space_id: number
  /** SHA-256 of the storage key, which is too long for a primary key; '' for rows from before keys were noted. */
  key_hash: string
  /** The storage's tag of this content: it stays when the file is renamed and never comes back for another content. */
  etag: string
  /** Where the file stands; null for rows from before keys were noted. */
  storage_key: string | null
  /** BLAKE3 tree hash, see `@godwit/base` tree-hash.ts. */
  hash: string
  stored_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_hashes: FileHashesTable
  }
}

export interface KnownHash {
  readonly spaceId: number
  readonly key: string
  readonly etag: string
  readonly hash: string
}

/** Values a statement may bind: SQLite allows 32,766. */
const ROWS_PER_STATEMENT = 1000

/** Remembers what stored files must hash to, so that a scrub finds silent corruption (fault plan, row 21). */
export async function rememberHashes(tx: Db | Tx, clock: Clock, known: readonly KnownHash[]): Promise<void> {
  const stored_at = clock.now()
  for (let at = 0; at < known.length; at += ROWS_PER_STATEMENT) {
    const rows = known.slice(at, at + ROWS_PER_STATEMENT).map(({ spaceId, key, etag, hash }) => {
      return { space_id: spaceId, key_hash: keyHash(key), etag, storage_key: key, hash, stored_at }
    })
    await put(tx, rows)
  }
}

/** What stood at these keys before is forgotten: it was replaced. */
async function put(tx: Db | Tx, rows: readonly FileHashesTable[]): Promise<void> {
  for (const [spaceId, group] of Map.groupBy(rows, (row) => row.space_id)) {
    const hashes = group.map((row) => row.key_hash)
    await tx.deleteFrom('file_hashes').where('space_id', '=', spaceId).where('key_hash', 'in', hashes).execute()
  }
  await tx.insertInto('file_hashes').values(rows).execute()
}

function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Every note of one content: storages that tag by content alone have one for each file that holds it. */
export async function hashesOf(
  db: Db | Tx,
  { spaceIds, etag }: { readonly spaceIds: readonly number[]; readonly etag: string },
): Promise<Array<{ readonly key: string | null; readonly hash: string }>> {
  return db
    .selectFrom('file_hashes')
    .select(['storage_key as key', 'hash'])
    .where('space_id', 'in', spaceIds)
    .where('etag', '=', etag)
    .execute()
}

/** The spaces that have notes: all of one storage's, which says of no key whose it is. */
export async function spacesWithHashes(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('file_hashes').select('space_id').distinct().execute()
  return rows.map((row) => row.space_id)
}

/** What is noted for the file at a key. */
export async function hashAt(
  db: Db | Tx,
  { spaceIds, key }: { readonly spaceIds: readonly number[]; readonly key: string },
): Promise<Omit<KnownHash, 'key'> | undefined> {
  return db
    .selectFrom('file_hashes')
    .select(['space_id as spaceId', 'etag', 'hash'])
    .where('space_id', 'in', spaceIds)
    .where('key_hash', '=', keyHash(key))
    .executeTakeFirst()
}

/** When this content came to its place through the server, Unix milliseconds; undefined for what came from outside. */
export async function storedAt(db: Db, { spaceId, key, etag }: Omit<KnownHash, 'hash'>): Promise<number | undefined> {
  const noted = db.selectFrom('file_hashes').select('stored_at').where('space_id', '=', spaceId)
  const row = await noted.where('key_hash', '=', keyHash(key)).where('etag', '=', etag).executeTakeFirst()
  return row && Number(row.stored_at)
}

/** All that is noted with a key, in batches. */
export async function* allHashes(db: Db, spaceId: number): AsyncGenerator<ReadonlyArray<Omit<KnownHash, 'spaceId'>>> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('file_hashes')
      .select(['key_hash', 'storage_key', 'etag', 'hash'])
      .where('space_id', '=', spaceId)
      .where('key_hash', '>', after)
      .orderBy('key_hash')
      .limit(ROWS_PER_STATEMENT)
      .execute()
    yield rows.map(({ storage_key: key, etag, hash }) => ({ key: key ?? '', etag, hash }))
    if (rows.length < ROWS_PER_STATEMENT) return
    after = rows.at(-1)?.key_hash ?? ''
  }
}

/** Gives every note the tag that its file has now: the storage was made anew from a copy, which tags its files afresh. */
export async function retagHashes(db: Db, store: Pick<ObjectStore, 'stat'>): Promise<void> {
  for (const spaceId of await spacesWithHashes(db)) await retagSpace(db, spaceId, store)
}

async function retagSpace(db: Db, spaceId: number, store: Pick<ObjectStore, 'stat'>): Promise<void> {
  for await (const rows of allHashes(db, spaceId)) {
    for (const { key, etag } of rows) {
      const entry = await store.stat(key)
      if (entry === undefined || entry.etag === etag) continue
      const note = db.updateTable('file_hashes').set({ etag: entry.etag }).where('space_id', '=', spaceId)
      await note.where('key_hash', '=', keyHash(key)).execute()
    }
  }
}

/** A file that another storage tags in another way. */
export interface Retagged {
  readonly keyHash: string
  readonly before: string
  readonly after: string
}

/** Follows files to another storage, at most 500 at once. Notes of other contents than these stay what they are. */
export async function retagFiles(tx: Tx, spaceId: number, files: readonly Retagged[]): Promise<void> {
  const cases = files.map(
    ({ keyHash, before, after }) => sql`when key_hash = ${keyHash} and etag = ${before} then ${after}`,
  )
  if (cases.length === 0) return
  await tx
    .updateTable('file_hashes')
    .set({ etag: sql<string>`case ${sql.join(cases, sql` `)} else etag end` })
    .where('space_id', '=', spaceId)
    .where(
      'key_hash',
      'in',
      files.map(({ keyHash }) => keyHash),
    )
    .execute()
}

interface Carry {
  readonly spaceId: number
  readonly from: string
  readonly to: string
  /** Hashes recorded later belong to files that came to the old keys after the move. Unix milliseconds. */
  readonly until: number
}

/**
 * Follows a file, or a folder with all below it, to its new key, in batches, so that a folder of a million files does not hold
 * up the others. Repeated after a crash it goes on where it was.
 */
export async function carryHashes(db: Db, { spaceId, from, to, until }: Carry): Promise<void> {
  for (;;) {
    const rows = await batchAt(db, { spaceId, key: from, until })
    if (rows.length === 0) return
    const moved = rows.map((row) => {
      const storage_key = to + (row.storage_key ?? '').slice(from.length)
      return { ...row, storage_key, key_hash: keyHash(storage_key) }
    })
    await inTransaction(db, async (tx) => {
      await remove(tx, spaceId, rows)
      await put(tx, moved)
    })
    await breathe()
  }
}

/** A file or folder whose hashes are recorded. */
export interface HashedTree {
  readonly store: Pick<ObjectStore, 'stat'>
  readonly spaceId: number
  readonly key: string
}

/**
 * Records for a copy what is recorded for its source, file by file. A source that changed since its hash was recorded passes
 * nothing on: what was copied is not known then. Tags never come back for other content, so one look after the copy is enough.
 */
export async function copyHashes(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  from: HashedTree,
  to: HashedTree,
): Promise<void> {
  for (let after = ''; ;) {
    const rows = await batchAfter(db, from, after)
    const copied = await Promise.all(
      rows.map(async ({ storage_key: storageKey, etag, hash }): Promise<KnownHash[]> => {
        const key = to.key + (storageKey ?? '').slice(from.key.length)
        const [source, copy] = await Promise.all([from.store.stat(storageKey ?? ''), to.store.stat(key)])
        const isSame = source?.etag === etag && copy?.kind === 'file' && copy.size === source.size
        return isSame ? [{ spaceId: to.spaceId, key, etag: copy.etag, hash }] : []
      }),
    )
    await inTransaction(db, (tx) => rememberHashes(tx, clock, copied.flat()))
    after = rows.at(-1)?.storage_key ?? ''
    if (rows.length < ROWS_PER_STATEMENT) return
    await breathe()
  }
}

/** The next rows of a tree in order of their keys; the tree's own first. */
async function batchAfter(db: Db, { spaceId, key }: HashedTree, after: string): Promise<FileHashesTable[]> {
  const recorded = db.selectFrom('file_hashes').selectAll().where('space_id', '=', spaceId)
  const own = after === '' ? await recorded.where('key_hash', '=', keyHash(key)).execute() : []
  if (own.length > 0) return own
  const below = recorded
    .where('storage_key', '>', after === '' ? `${key}/` : after)
    .where('storage_key', '<', `${key}0`)
  return below.orderBy('storage_key').limit(ROWS_PER_STATEMENT).execute()
}

/**
 * Records what a file hashes to in place of what is recorded at its key, unless another content was recorded there meanwhile.
 * @param before the tag recorded until now; undefined where there is none
 * @returns whether it is recorded
 */
export async function replaceHash(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  known: KnownHash,
  before: string | undefined,
): Promise<boolean> {
  try {
    return await inTransaction(db, async (tx) => {
      const recorded = tx.selectFrom('file_hashes').select('etag').where('space_id', '=', known.spaceId)
      const rows = await recorded.where('key_hash', '=', keyHash(known.key)).execute()
      if (before === undefined ? rows.length > 0 : rows.every(({ etag }) => etag !== before)) return false
      await rememberHashes(tx, clock, [known])
      return true
    })
  } catch (thrown) {
    if (isDuplicate(thrown)) return false
    throw thrown
  }
}

/** Forgets the hash recorded at one key for one content. */
export async function forgetHashOf(db: Db, { spaceId, key, etag }: Omit<KnownHash, 'hash'>): Promise<void> {
  const recorded = db.deleteFrom('file_hashes').where('space_id', '=', spaceId).where('etag', '=', etag)
  await recorded.where('key_hash', '=', keyHash(key)).execute()
}

/** Forgets the hash recorded at one key. */
export async function forgetHash(tx: Db | Tx, spaceId: number, key: string): Promise<void> {
  const recorded = tx.deleteFrom('file_hashes').where('space_id', '=', spaceId)
  await recorded.where('key_hash', '=', keyHash(key)).execute()
}

/** Forgets a file, or a folder with all below it. */
export async function forgetHashes(db: Db, spaceId: number, key: string): Promise<void> {
  for (;;) {
    const rows = await batchAt(db, { spaceId, key, until: Number.MAX_SAFE_INTEGER })
    if (rows.length === 0) return
    await remove(db, spaceId, rows)
    await breathe()
  }
}

interface RecordedTree {
  readonly spaceId: number
  readonly key: string
  readonly until: number
}

async function batchAt(db: Db, { spaceId, key, until }: RecordedTree): Promise<FileHashesTable[]> {
  const noted = db.selectFrom('file_hashes').selectAll().where('space_id', '=', spaceId).where('stored_at', '<=', until)
  const own = await noted.where('key_hash', '=', keyHash(key)).execute()
  if (own.length > 0) return own
  // '0' is the character behind '/': this range is all that begins with `key/`.
  const below = noted.where('storage_key', '>', `${key}/`).where('storage_key', '<', `${key}0`)
  return below.limit(ROWS_PER_STATEMENT).execute()
}

async function remove(db: Db | Tx, spaceId: number, rows: readonly FileHashesTable[]): Promise<void> {
  const hashes = rows.map((row) => row.key_hash)
  await db.deleteFrom('file_hashes').where('space_id', '=', spaceId).where('key_hash', 'in', hashes).execute()
}
