import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { BRANDING_ASSETS } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import { Migrator } from 'kysely/migration'
import { extract, type Extract } from 'tar-stream'
import { failUnfinished } from '../../content/intake/index.ts'
import { createQuotas, retagHashes } from '../../content/quotas/index.ts'
import { KEPT_IMAGES } from '../../foundation/branding/index.ts'
import { Refused } from '../../foundation/installation/index.ts'
import { openRestoredStorages, requireEmptyStorages, type ArchivedStorage } from '../../foundation/storages/index.ts'
import { importVaultKey } from '../../kernel/crypto/index.ts'
import {
  inTransaction,
  insertRows,
  migrateToLatest,
  tableShapes,
  type Database,
  type Row,
} from '../../kernel/db/index.ts'
import { MIGRATIONS } from '../../migrations/index.ts'
import {
  BRANDING_PREFIX,
  DATABASE_PREFIX,
  fileEntry,
  KEY_ENTRY,
  MANIFEST_ENTRY,
  type BackupManifest,
} from './archive.ts'
import type { MaintenanceDeps } from './maintenance.deps.ts'
import { RESTORE_MARK } from './unfinished.ts'

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never

export interface RestoreDeps extends Omit<MaintenanceDeps, 'storages'> {
  /** Bytes of a disk that files leave free. */
  readonly reserveBytes: number
  /** Folder of a local storage in place of the one it had, for a restore that must touch nothing. */
  readonly into?: (storageId: number) => string
}

export interface RestoreResult {
  readonly files: number
  /** Uploads that were not finished: their bytes were on the old disk. */
  readonly unfinished: number
  /** Newest migration of the archive. */
  readonly migration: string
}

/**
 * Rebuilds an installation from an archive, which is read through once before anything is written. No server may run, and none starts on
 * a database whose restore was broken off.
 * @throws Refused for a damaged archive, one of a newer program, or a target that is not empty
 */
export async function restoreBackup(deps: RestoreDeps, file: string): Promise<RestoreResult> {
  const { manifest, storages } = await checkArchive(file)
  const { database } = deps
  await migrateTo(database, manifest.migration)
  await requireEmptyDatabase(database)
  if (deps.into === undefined) await requireEmptyStorages(deps, storages)
  const { db, dialect } = database
  await db.insertInto('facts').values({ name: RESTORE_MARK, value: 'begun' }).execute()
  const files = await restoreEntries(deps, { file, manifest })
  const unfinished = await failUnfinished({ db, quotas: createQuotas({ db, dialect, defaultBytes: 0 }) })
  await db.deleteFrom('facts').where('name', '=', RESTORE_MARK).execute()
  return { files, unfinished, migration: manifest.migration }
}

const STORAGES_ENTRY = `${DATABASE_PREFIX}storages.jsonl`
/** Entries whose content must be known before anything is written. */
const KEPT: ReadonlySet<string> = new Set([STORAGES_ENTRY, MANIFEST_ENTRY])

interface CheckedArchive {
  readonly manifest: BackupManifest
  /** None in an archive from before storages were data. */
  readonly storages: readonly ArchivedStorage[]
}

/**
 * Reads the archive through once, before anything is written.
 * @throws Refused naming the first entry that is missing or differs
 */
async function checkArchive(file: string): Promise<CheckedArchive> {
  try {
    return await readArchive(file)
  } catch (thrown) {
    if (thrown instanceof Refused || isOfSystem(thrown)) throw thrown
    // What reads archives reports a damaged one by plain errors.
    throw notWhole(file, thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

/** The system's own word about a file, such as ENOENT. */
function isOfSystem(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown
}

async function readArchive(file: string): Promise<CheckedArchive> {
  const found = new Map<string, { size: number; sha256: string }>()
  let manifest: BackupManifest | undefined
  let storages: readonly ArchivedStorage[] = []
  for await (const entry of entriesOf(file)) {
    if (entry.header.type === 'directory') {
      entry.resume()
      continue
    }
    const content: Buffer[] = []
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
      if (KEPT.has(entry.header.name)) content.push(chunk)
    }
    const text = Buffer.concat(content).toString()
    if (entry.header.name === STORAGES_ENTRY) storages = rowsOf(text) as unknown as ArchivedStorage[]
    if (entry.header.name === MANIFEST_ENTRY) manifest = JSON.parse(text) as BackupManifest
    else found.set(entry.header.name, { size, sha256: hash.digest('hex') })
  }
  if (manifest?.format !== 'godwit-backup-1') throw notWhole(file, `${MANIFEST_ENTRY} is missing`)
  for (const [name, { size, sha256 }] of Object.entries(manifest.entries)) {
    const actual = found.get(name)
    if (actual?.size !== size || actual.sha256 !== sha256) throw notWhole(file, `${name} is missing or differs`)
  }
  return { manifest, storages }
}

function notWhole(file: string, reason: string, cause?: unknown): Refused {
  return new Refused(`${file} is no archive of godwit backup, or it is damaged: ${reason}`, {
    cause,
  })
}

function entriesOf(file: string): AsyncIterable<Entry> {
  const reader = extract()
  const source: Readable = fs.createReadStream(file, { highWaterMark: 1 << 20 })
  source.on('error', (error) => reader.destroy(error))
  source.pipe(reader)
  return reader
}

/** @throws Refused for an archive of a newer program */
async function migrateTo(database: Database, migration: string): Promise<void> {
  if (!(migration in MIGRATIONS)) {
    throw new Refused(`the archive comes from a newer Godwit (${migration}): install that one first`)
  }
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
  })
  const { error } = await migrator.migrateTo(migration)
  if (error !== undefined) throw new Error('database migration failed', { cause: error })
}

/** What a first start or a command made by itself goes; accounts are somebody's. */
async function requireEmptyDatabase(database: Database): Promise<void> {
  const { db } = database
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) throw new Refused('the target database is not empty')
  for (const { name } of (await tableShapes(database)).toReversed()) {
    await db.deleteFrom(name as 'facts').execute()
  }
}

interface Source {
  readonly file: string
  readonly manifest: BackupManifest
}

/** An archive has the database first, so that the storages are known when their files come. @returns how many files were written */
async function restoreEntries(deps: RestoreDeps, { file, manifest }: Source): Promise<number> {
  const tables = new Set((await tableShapes(deps.database)).map(({ name }) => name))
  let stores: ReadonlyMap<number, ObjectStore> | undefined
  let files = 0
  for await (const entry of entriesOf(file)) {
    deps.signal.throwIfAborted()
    const { name, type } = entry.header
    const asset = BRANDING_ASSETS.find((known) => name === `${BRANDING_PREFIX}${known}`)
    const table = name.startsWith(DATABASE_PREFIX)
      ? name.slice(DATABASE_PREFIX.length).replace(/\.jsonl$/, '')
      : undefined
    const place = fileEntry(name)
    if (table !== undefined && tables.has(table)) await restoreTable(deps.database, table, entry)
    else if (name === KEY_ENTRY) importVaultKey(deps.data, await wholeOf(entry))
    else if (asset !== undefined && name in manifest.entries) keepImage(deps.data, asset, await wholeOf(entry))
    else if (place !== undefined) {
      stores ??= await openStores(deps)
      const isWanted = type === 'directory' || name in manifest.entries
      files += isWanted ? await restorePlace(entry, place, stores.get(place.storageId)) : skip(entry)
    } else entry.resume()
  }
  const opened = stores ?? (await openStores(deps))
  for (const store of opened.values()) await retagHashes(deps.database.db, store)
  return files
}

/** The first start takes it into the database. */
function keepImage(data: string, asset: string, content: Buffer): void {
  const folder = path.join(data, KEPT_IMAGES)
  fs.mkdirSync(folder, { recursive: true, mode: 0o750 })
  fs.writeFileSync(path.join(folder, asset), content, { mode: 0o640 })
}

function skip(entry: Entry): 0 {
  entry.resume()
  return 0
}

async function openStores(deps: RestoreDeps): Promise<ReadonlyMap<number, ObjectStore>> {
  await migrateToLatest(deps.database, MIGRATIONS)
  return openRestoredStorages({ ...deps, db: deps.database.db })
}

/** @returns how many files were written */
async function restorePlace(
  entry: Entry,
  { storageId, key }: { readonly storageId: number; readonly key: string },
  store: ObjectStore | undefined,
): Promise<number> {
  if (store === undefined)
    throw new Refused(`the archive holds files of storage ${storageId}, which its database does not know`)
  if (entry.header.type === 'directory') {
    entry.resume()
    await store.ensureFolder(key.replace(/\/$/, ''))
    return 0
  }
  await restoreFile(store, entry, key)
  return 1
}

async function restoreTable(database: Database, table: string, entry: Entry): Promise<void> {
  const rows = rowsOf((await wholeOf(entry)).toString())
  await inTransaction(database.db, async (tx) => insertRows(tx, table, rows))
}

function rowsOf(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Row)
}

async function wholeOf(entry: Entry): Promise<Buffer> {
  const content: Buffer[] = []
  for await (const chunk of entry as AsyncIterable<Buffer>) content.push(chunk)
  return Buffer.concat(content)
}

async function restoreFile(store: ObjectStore, entry: Entry, key: string): Promise<void> {
  const size = entry.header.size
  await store.ensureFolder(key.split('/').slice(0, -1).join('/'))
  const upload = await store.createUpload({ key, size })
  for (let offset = 0, index = 0; offset < size || index === 0; index++) {
    const length = Math.min(upload.partSize, size - offset)
    await store.writePart(upload, { index, offset, length }, take(entry, length))
    offset += length
  }
  const modifiedMs = entry.header.mtime.getTime()
  await store.completeUpload(upload, { size, conflict: 'fail', modifiedMs })
  entry.resume()
}

/** Exactly the next `length` bytes of an entry; what a chunk holds beyond them goes back. */
async function* take(entry: Entry, length: number): AsyncGenerator<Uint8Array> {
  let left = length
  while (left > 0) {
    const chunk = entry.read() as Buffer | null
    if (chunk === null) {
      await readable(entry)
      continue
    }
    const used = chunk.subarray(0, left)
    if (used.length < chunk.length) entry.unshift(chunk.subarray(used.length))
    left -= used.length
    yield used
  }
}

async function readable(entry: Entry): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    entry.once('readable', resolve)
    entry.once('error', reject)
    entry.once('end', () => reject(new Error('the archive ends inside a file')))
  })
}
