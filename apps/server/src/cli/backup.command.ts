import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { finished } from 'node:stream/promises'
import { MiB } from '@godwit/base'
import { pack as packTar, type Pack } from 'tar-stream'
import { BRANDING_ASSETS } from '@godwit/contract'
import { openBranding } from '../foundation/branding/index.ts'
import type { Storages } from '../foundation/storages/index.ts'
import { KIND_FOLDER, StorageError, type ObjectStore } from '@godwit/storage'
import { exportVaultKey } from '../kernel/crypto/index.ts'
import { inTransaction, readRows, tableShapes, type Database } from '../kernel/db/index.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase, withStorages } from './installation.ts'

/** Last entry of an archive: what it must hold, so that a cut-off archive is recognised. */
export interface BackupManifest {
  readonly format: 'godwit-backup-1'
  /** Newest migration of the database inside. */
  readonly migration: string
  readonly createdAt: number
  /** SHA-256 of every entry, by its name in the archive. */
  readonly entries: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>
}

export const MANIFEST_ENTRY = 'manifest.json'
export const DATABASE_PREFIX = 'database/'
export const FILES_PREFIX = 'files/'
export const BRANDING_PREFIX = 'branding/'
/** Opens the sealed secrets of the database: second factors, mail passwords. */
export const KEY_ENTRY = 'keys/secrets.key'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write database and files into one tar archive; the server may run meanwhile',
  positionals: ['FILE'],
  options: {},
  examples: ['godwit backup /backups/godwit-2026-11-20.tar'],
  run: async (call) =>
    withDatabase(call, async (database) =>
      withStorages(call, async (storages) => {
        const target = call.positionals[0] ?? ''
        requireFile(target)
        const archive = await writeArchive(call, `${target}.part`, { database, storages })
        fs.renameSync(`${target}.part`, target)
        const entries = Object.values(archive.entries)
        const bytes = entries.reduce((sum, { size }) => sum + size, 0)
        call.show(
          { file: target, entries: entries.length, bytes, skipped: archive.skipped },
          [
            `Wrote ${entries.length} entries, ${bytes} bytes, to ${target}.`,
            ...archive.skipped.map((key) => `Changed while read, left out: ${key}`),
          ].join('\n'),
        )
        return archive.skipped.length === 0 ? EXIT.ok : EXIT.problems
      }),
    ),
}

type Sink = ReturnType<Pack['entry']>

interface Archive {
  readonly tar: Pack
  readonly file: fs.WriteStream
  /** Aborts when the archive cannot be written on: whoever waits for its progress stops waiting. */
  readonly broken: AbortSignal
  readonly fd: number
  readonly entries: Record<string, { size: number; sha256: string }>
  readonly skipped: string[]
}

/** The archive takes the place of an older one, and of nothing else. @throws CommandFailure */
function requireFile(target: string): void {
  const found = fs.statSync(target, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) throw new CommandFailure(EXIT.refused, `${target} is no file`)
}

interface Installation {
  readonly database: Database
  readonly storages: Storages
}

/** Leaves a whole archive on the disk, or nothing. */
async function writeArchive(call: Invocation, file: string, { database, storages }: Installation): Promise<Archive> {
  const archive = openArchive(file)
  try {
    // Rows first: a file that appears later is merely a file the rows do not know, never a row without its file.
    await addDatabase(archive, database)
    const key = exportVaultKey(call.loaded.config.data)
    if (key !== undefined) await addBytes(archive, KEY_ENTRY, key)
    await addBranding(call, archive)
    for (const store of storages.all()) await addFolder(call, archive, { store, folder: '' })
    await closeArchive(archive, call)
    return archive
  } catch (thrown) {
    const reason: unknown = archive.broken.aborted ? archive.broken.reason : thrown
    await letGo(archive)
    fs.rmSync(file, { force: true })
    throw reason
  }
}

function openArchive(file: string): Archive {
  const fd = fs.openSync(file, 'w', 0o600)
  const stream = fs.createWriteStream(file, { fd, autoClose: false, highWaterMark: 1 << 20 })
  const tar = packTar()
  const broken = new AbortController()
  stream.on('error', (error) => broken.abort(error))
  tar.on('error', (error: Error) => broken.abort(error))
  tar.pipe(stream)
  return { tar, file: stream, fd, broken: broken.signal, entries: {}, skipped: [] }
}

async function letGo({ tar, file }: Archive): Promise<void> {
  tar.destroy()
  if (file.closed) return
  const closed = once(file, 'close')
  file.destroy()
  await closed
}

/** Waits until an entry is in the archive, or never will be. */
function added({ broken }: Archive, add: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(broken.reason as Error)
    broken.addEventListener('abort', stop, { once: true })
    add((error) => {
      broken.removeEventListener('abort', stop)
      if (error) reject(error)
      else resolve()
    })
  })
}

async function addDatabase(archive: Archive, database: Database): Promise<void> {
  const tables = await tableShapes(database)
  // One transaction: both databases then show all tables as of one instant.
  await inTransaction(database.db, async (tx) => {
    for (const shape of tables) {
      const lines: string[] = []
      for await (const rows of readRows(tx, shape, {})) lines.push(...rows.map((row) => JSON.stringify(row)))
      await addBytes(
        archive,
        `${DATABASE_PREFIX}${shape.name}.jsonl`,
        Buffer.from(lines.map((line) => `${line}\n`).join('')),
      )
    }
  })
}

/** The site's own images. */
async function addBranding({ loaded, io }: Invocation, archive: Archive): Promise<void> {
  const branding = openBranding({ data: loaded.config.data, clock: io.clock, random: io.random })
  for (const asset of BRANDING_ASSETS) {
    const image = await branding.image(asset)
    if (image !== undefined) await addBytes(archive, `${BRANDING_PREFIX}${asset}`, image.bytes)
  }
}

async function addBytes(archive: Archive, name: string, content: Buffer): Promise<void> {
  archive.entries[name] = { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  await added(archive, (done) => archive.tar.entry({ name, mode: 0o600 }, content, done))
}

interface FolderAt {
  readonly store: ObjectStore
  readonly folder: string
}

async function addFolder(call: Invocation, archive: Archive, { store, folder }: FolderAt): Promise<void> {
  if (folder !== '') await addFolderEntry(archive, `${FILES_PREFIX}${folder}/`)
  for await (const page of store.list(folder, { signal: call.io.signal })) {
    for (const [index, name] of page.names.entries()) {
      const key = folder === '' ? name : `${folder}/${name}`
      if (page.kinds[index] === KIND_FOLDER) await addFolder(call, archive, { store, folder: key })
      else await addFile(call, archive, { store, folder: key })
    }
  }
}

async function addFolderEntry(archive: Archive, name: string): Promise<void> {
  await added(archive, (done) => archive.tar.entry({ name, type: 'directory', mode: 0o700 }, done))
}

async function addFile(call: Invocation, archive: Archive, { store, folder: key }: FolderAt): Promise<void> {
  const found = await store.stat(key)
  if (found?.kind !== 'file') return
  await using reader = await store.openRead(key)
  const { size, modifiedMs } = reader.entry
  const name = `${FILES_PREFIX}${key}`
  const entry = archive.tar.entry({ name, size, mtime: new Date(modifiedMs), mode: 0o600 })
  // What breaks an entry breaks the archive, which tells it.
  entry.on('error', () => {})
  const { written, sha256 } = await pour(archive, entry, reader.stream({ start: 0, end: size }, call.io.signal))
  if (written === size) archive.entries[name] = { size, sha256 }
  else await padChanged(archive, entry, { key, missing: size - written })
  const ended = once(entry, 'finish', { signal: archive.broken })
  entry.end(undefined)
  await ended
}

/** Writes a file's bytes until they end, or until the file changes underneath. */
async function pour(
  { broken }: Archive,
  entry: Sink,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ written: number; sha256: string }> {
  const hash = createHash('sha256')
  let written = 0
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      written += chunk.length
      // Chunks are borrowed from the store, and the archive may still hold one when the next is read.
      if (!entry.write(Buffer.from(chunk))) await once(entry, 'drain', { signal: broken })
    }
  } catch (thrown) {
    if (!(thrown instanceof StorageError) || thrown.reason !== 'conflict') throw thrown
  }
  return { written, sha256: hash.digest('hex') }
}

/** A tar entry's length stands before its bytes; without a line in the manifest, restore leaves the entry out. */
async function padChanged(
  archive: Archive,
  entry: Sink,
  { key, missing }: { readonly key: string; readonly missing: number },
): Promise<void> {
  archive.skipped.push(key)
  for (let left = missing; left > 0; left -= MiB) {
    if (!entry.write(Buffer.alloc(Math.min(left, MiB)))) await once(entry, 'drain', { signal: archive.broken })
  }
}

async function closeArchive(archive: Archive, call: Invocation): Promise<void> {
  const manifest: BackupManifest = {
    format: 'godwit-backup-1',
    migration: Object.keys(MIGRATIONS).at(-1) ?? '',
    createdAt: call.io.clock.now(),
    entries: archive.entries,
  }
  const content = Buffer.from(JSON.stringify(manifest))
  await added(archive, (done) => archive.tar.entry({ name: MANIFEST_ENTRY, mode: 0o600 }, content, done))
  archive.tar.finalize()
  await finished(archive.file)
  fs.fsyncSync(archive.fd)
  fs.closeSync(archive.fd)
}
