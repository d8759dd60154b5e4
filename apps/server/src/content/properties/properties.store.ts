import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { inTransaction, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import type { FilePropertiesTable } from './properties.schema.ts'

/** A file or folder by its key on the storage of a space. */
export interface PropertyPlace {
  readonly spaceId: number
  readonly key: string
}

/** XML of values by their names, `{namespace}name`. */
export type Properties = Readonly<Record<string, string>>

const ROWS_PER_STATEMENT = 500

/** Properties that clients set on files and folders. They follow moves, copies, the bin and the way back from it. */
export async function propertiesAt(
  db: Db | Tx,
  spaceId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Properties>> {
  const found = new Map<string, Properties>()
  for (let at = 0; at < keys.length; at += ROWS_PER_STATEMENT) {
    const hashes = keys.slice(at, at + ROWS_PER_STATEMENT).map(keyHash)
    const rows = await db
      .selectFrom('file_properties')
      .select(['storage_key', 'properties'])
      .where('space_id', '=', spaceId)
      .where('key_hash', 'in', hashes)
      .execute()
    for (const row of rows) found.set(row.storage_key, JSON.parse(row.properties) as Properties)
  }
  return found
}

/** Whether anything in or below a folder has properties: most folders have none, and need not be asked entry by entry. */
export async function hasPropertiesBelow(db: Db, { spaceId, key }: PropertyPlace): Promise<boolean> {
  const query = db.selectFrom('file_properties').select('key_hash').where('space_id', '=', spaceId)
  const below = query.where('storage_key', '>', `${key}/`).where('storage_key', '<', `${key}0`)
  return (await below.limit(1).executeTakeFirst()) !== undefined
}

export interface PropertyChange extends PropertyPlace {
  readonly at: number
  /** @param before what there is @returns what there is to be */
  readonly change: (before: Properties) => Properties
}

/** Changes the properties of one entry; changes at the same time come one after the other. */
export function changeProperties(
  { db, dialect }: { readonly db: Db; readonly dialect: DialectName },
  { spaceId, key, at, change }: PropertyChange,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const query = tx.selectFrom('file_properties').select('properties').where('space_id', '=', spaceId)
    const own = query.where('key_hash', '=', keyHash(key))
    const row = await (dialect === 'mysql' ? own.forUpdate() : own).executeTakeFirst()
    const properties = change(row === undefined ? {} : (JSON.parse(row.properties) as Properties))
    const stored = { space_id: spaceId, key_hash: keyHash(key), storage_key: key, changed_at: at }
    await put(tx, spaceId, [{ ...stored, properties: JSON.stringify(properties) }])
  })
}

interface Carry {
  readonly spaceId: number
  readonly from: string
  readonly to: string
  /** Properties set later belong to what came to the old keys after the move. Unix milliseconds. */
  readonly until: number
}

/** Follows an entry with all below it to its new key, in batches. Repeated after a crash it goes on where it was. */
export async function carryProperties(db: Db, { spaceId, from, to, until }: Carry): Promise<void> {
  for (;;) {
    const rows = await batchAt(db, { spaceId, key: from, until })
    if (rows.length === 0) return
    await inTransaction(db, async (tx) => {
      await remove(tx, spaceId, rows)
      await put(tx, spaceId, rekeyed(rows, from, to))
    })
    await breathe()
  }
}

/** Gives a copy what its source has. */
export async function copyProperties(db: Db, { spaceId, from, to }: Omit<Carry, 'until'>): Promise<void> {
  for (let after = ''; ;) {
    const rows = await batchAfter(db, { spaceId, key: from }, after)
    await inTransaction(db, (tx) => put(tx, spaceId, rekeyed(rows, from, to)))
    after = rows.at(-1)?.storage_key ?? ''
    if (rows.length < ROWS_PER_STATEMENT && after !== from) return
    await breathe()
  }
}

function rekeyed(rows: readonly FilePropertiesTable[], from: string, to: string): FilePropertiesTable[] {
  return rows.map((row) => {
    const storage_key = to + row.storage_key.slice(from.length)
    return { ...row, storage_key, key_hash: keyHash(storage_key) }
  })
}

/** Forgets those of one key: another entry takes its place. */
export async function forgetPropertiesAt(tx: Db | Tx, { spaceId, key }: PropertyPlace): Promise<void> {
  const query = tx.deleteFrom('file_properties').where('space_id', '=', spaceId)
  await query.where('key_hash', '=', keyHash(key)).execute()
}

/** Forgets those of an entry with all below it. */
export async function forgetProperties(db: Db, { spaceId, key }: PropertyPlace): Promise<void> {
  for (;;) {
    const rows = await batchAt(db, { spaceId, key, until: Number.MAX_SAFE_INTEGER })
    if (rows.length === 0) return
    await remove(db, spaceId, rows)
    await breathe()
  }
}

async function batchAt(db: Db, { spaceId, key, until }: PropertyPlace & { readonly until: number }) {
  const noted = db
    .selectFrom('file_properties')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('changed_at', '<=', until)
  const own = await noted.where('key_hash', '=', keyHash(key)).execute()
  if (own.length > 0) return own
  // '0' is the character behind '/': this range is all that begins with `key/`.
  const below = noted.where('storage_key', '>', `${key}/`).where('storage_key', '<', `${key}0`)
  return below.limit(ROWS_PER_STATEMENT).execute()
}

/** The next rows of a tree in order of their keys; the tree's own first. */
async function batchAfter(db: Db, { spaceId, key }: PropertyPlace, after: string): Promise<FilePropertiesTable[]> {
  const noted = db.selectFrom('file_properties').selectAll().where('space_id', '=', spaceId)
  const own = after === '' ? await noted.where('key_hash', '=', keyHash(key)).execute() : []
  if (own.length > 0) return own
  const from = after === '' || after === key ? `${key}/` : after
  const below = noted.where('storage_key', '>', from).where('storage_key', '<', `${key}0`)
  return below.orderBy('storage_key').limit(ROWS_PER_STATEMENT).execute()
}

/** What the keys had before is forgotten. */
async function put(tx: Db | Tx, spaceId: number, rows: readonly FilePropertiesTable[]): Promise<void> {
  if (rows.length === 0) return
  await remove(tx, spaceId, rows)
  const kept = rows.filter(({ properties }) => properties !== '{}')
  if (kept.length > 0) await tx.insertInto('file_properties').values(kept).execute()
}

async function remove(tx: Db | Tx, spaceId: number, rows: readonly FilePropertiesTable[]): Promise<void> {
  const hashes = rows.map((row) => row.key_hash)
  await tx.deleteFrom('file_properties').where('space_id', '=', spaceId).where('key_hash', 'in', hashes).execute()
}

function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
