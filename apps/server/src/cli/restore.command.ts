import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { Migrator } from 'kysely/migration'
import { extract, type Extract } from 'tar-stream'
import { BRANDING_ASSETS } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import {
  connectDatabase,
  inTransaction,
  insertRows,
  migrateToLatest,
  tableShapes,
  type Database,
  type Row,
} from '../kernel/db/index.ts'
import { openBranding } from '../foundation/branding/index.ts'
import { createQuotas, retagHashes } from '../content/quotas/index.ts'
import { failUnfinished } from '../content/intake/index.ts'
import { importVaultKey } from '../kernel/crypto/index.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import {
  BRANDING_PREFIX,
  DATABASE_PREFIX,
  FILES_PREFIX,
  KEY_ENTRY,
  MANIFEST_ENTRY,
  type BackupManifest,
} from './backup.command.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { databaseUrl } from '../kernel/config/index.ts'
import { CommandFailure } from './command-failure.ts'
import { withStorages } from './installation.ts'
import { systemFault } from './system-faults.ts'

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Rebuild an installation from an archive of godwit backup; the target must be empty',
  positionals: ['FILE'],
  options: {},
  examples: ['godwit restore /backups/godwit-2026-11-20.tar --data /srv/godwit-new'],
  run: async (call) => {
    const file = call.positionals[0] ?? ''
    const manifest = await checkArchive(file)
    const database = connectDatabase(databaseUrl(call.loaded.config))
    try {
      await migrateTo(database, manifest.migration)
      await requireEmptyDatabase(database)
      const files = await withStorages(call, async (storages) => {
        const [store] = storages.all()
        if (!store) throw new Error('no storage to restore to')
        await requireEmptyStore(store)
        const written = await restoreEntries(call, { file, manifest, database, store })
        await migrateToLatest(database, MIGRATIONS)
        await retagHashes(database.db, store)
        return written
      })
      const { db, dialect } = database
      const unfinished = await failUnfinished({ db, quotas: createQuotas({ db, dialect, defaultBytes: 0 }) })
      call.show(
        { files, unfinished, migration: manifest.migration },
        [
          `Restored ${files} files and the database. Run godwit verify --all to compare every hash.`,
          ...(unfinished === 0 ? [] : [`Uploads that were not finished then and begin anew: ${unfinished}.`]),
        ].join('\n'),
      )
      return EXIT.ok
    } finally {
      await database.close()
    }
  },
}

/**
 * Reads the archive through once, before anything is written.
 * @throws CommandFailure naming the first entry that is missing or differs
 */
async function checkArchive(file: string): Promise<BackupManifest> {
  try {
    return await readArchive(file)
  } catch (thrown) {
    if (thrown instanceof CommandFailure || systemFault(thrown) !== undefined) throw thrown
    // What reads archives tells of a damaged one by plain errors.
    throw notWhole(file, thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

async function readArchive(file: string): Promise<BackupManifest> {
  const found = new Map<string, { size: number; sha256: string }>()
  let manifest: BackupManifest | undefined
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
      if (entry.header.name === MANIFEST_ENTRY) content.push(chunk)
    }
    if (entry.header.name === MANIFEST_ENTRY) manifest = JSON.parse(Buffer.concat(content).toString()) as BackupManifest
    else found.set(entry.header.name, { size, sha256: hash.digest('hex') })
  }
  if (manifest?.format !== 'godwit-backup-1') throw notWhole(file, `${MANIFEST_ENTRY} is missing`)
  for (const [name, { size, sha256 }] of Object.entries(manifest.entries)) {
    const actual = found.get(name)
    if (actual?.size !== size || actual.sha256 !== sha256) throw notWhole(file, `${name} is missing or differs`)
  }
  return manifest
}

function notWhole(file: string, reason: string, cause?: unknown): CommandFailure {
  return new CommandFailure(EXIT.refused, `${file} is no archive of godwit backup, or it is damaged: ${reason}`, {
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

/** @throws CommandFailure for an archive of a newer program */
async function migrateTo(database: Database, migration: string): Promise<void> {
  if (!(migration in MIGRATIONS)) {
    throw new CommandFailure(
      EXIT.refused,
      `the archive comes from a newer Godwit (${migration}): install that one first`,
    )
  }
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
  })
  const { error } = await migrator.migrateTo(migration)
  if (error !== undefined) throw new Error('database migration failed', { cause: error })
}

async function requireEmptyDatabase({ db }: Database): Promise<void> {
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user !== undefined) throw new CommandFailure(EXIT.refused, 'the target database is not empty')
}

async function requireEmptyStore(store: ObjectStore): Promise<void> {
  for await (const page of store.list('')) {
    if (page.names.length > 0) throw new CommandFailure(EXIT.refused, 'the target storage is not empty')
  }
}

interface Target {
  readonly file: string
  readonly manifest: BackupManifest
  readonly database: Database
  readonly store: ObjectStore
}

/** @returns how many files were written */
async function restoreEntries(call: Invocation, target: Target): Promise<number> {
  const tables = new Set((await tableShapes(target.database)).map(({ name }) => name))
  const { clock, random } = call.io
  const branding = openBranding({ data: call.loaded.config.data, clock, random })
  let files = 0
  for await (const entry of entriesOf(target.file)) {
    call.io.signal.throwIfAborted()
    const { name, type } = entry.header
    const asset = BRANDING_ASSETS.find((known) => name === `${BRANDING_PREFIX}${known}`)
    const table = name.startsWith(DATABASE_PREFIX)
      ? name.slice(DATABASE_PREFIX.length).replace(/\.jsonl$/, '')
      : undefined
    if (table !== undefined && tables.has(table)) await restoreTable(target.database, table, entry)
    else if (name === KEY_ENTRY) importVaultKey(call.loaded.config.data, await wholeOf(entry))
    else if (asset !== undefined && name in target.manifest.entries) await branding.replace(asset, await wholeOf(entry))
    else if (type === 'directory') await restoreFolder(target.store, entry)
    else if (name.startsWith(FILES_PREFIX) && name in target.manifest.entries) {
      await restoreFile(target.store, entry)
      files++
    } else entry.resume()
  }
  return files
}

async function restoreTable(database: Database, table: string, entry: Entry): Promise<void> {
  const lines = (await wholeOf(entry))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
  await inTransaction(database.db, async (tx) =>
    insertRows(
      tx,
      table,
      lines.map((line) => JSON.parse(line) as Row),
    ),
  )
}

async function wholeOf(entry: Entry): Promise<Buffer> {
  const content: Buffer[] = []
  for await (const chunk of entry as AsyncIterable<Buffer>) content.push(chunk)
  return Buffer.concat(content)
}

async function restoreFolder(store: ObjectStore, entry: Entry): Promise<void> {
  entry.resume()
  await store.ensureFolder(entry.header.name.slice(FILES_PREFIX.length).replace(/\/$/, ''))
}

async function restoreFile(store: ObjectStore, entry: Entry): Promise<void> {
  const key = entry.header.name.slice(FILES_PREFIX.length)
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
