import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { finished } from 'node:stream/promises'
import { MiB } from '@godwit/base'
import { KIND_FOLDER, StorageError, type ObjectReader, type ObjectStore, type StorageReason } from '@godwit/storage'
import { pack as packTar, type Pack } from 'tar-stream'
import { Refused } from '../../foundation/installation/index.ts'
import { exportVaultKey } from '../../kernel/crypto/index.ts'
import { FULL_TEXT_TABLES } from '../../content/full-text/index.ts'
import { SEARCH_TABLES } from '../../content/search/index.ts'
import { inSnapshot, readRows, tableShapes, type Database } from '../../kernel/db/index.ts'
import { MIGRATIONS } from '../../migrations/index.ts'
import { DATABASE_PREFIX, filesPrefix, KEY_ENTRY, MANIFEST_ENTRY, type BackupManifest } from './archive.ts'
import type { MaintenanceDeps } from './maintenance.deps.ts'

export interface BackupResult {
  readonly entries: number
  readonly bytes: number
  /** Keys of files that changed while they were read, or that the server may not read. */
  readonly skipped: readonly string[]
  /** Ids of storages whose files are not in the archive: buckets keep them. */
  readonly leftOut: readonly number[]
}

/**
 * Writes database, keys and the files of every local storage into one tar archive, beside the running server. Leaves a
 * whole archive on the disk, or nothing.
 * @throws Refused where something is that must not be overwritten
 */
export async function writeBackup(
  deps: MaintenanceDeps,
  target: string,
  { force }: { readonly force: boolean },
): Promise<BackupResult> {
  requireFree(target, force)
  const { archive, leftOut } = await writeArchive(deps, `${target}.part`)
  fs.renameSync(`${target}.part`, target)
  const entries = Object.values(archive.entries)
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  return { entries: entries.length, bytes, skipped: archive.skipped, leftOut }
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

function requireFree(target: string, force: boolean): void {
  const found = fs.statSync(target, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile()) throw new Refused(`${target} is no file`)
  if (!force) throw new Refused(`${target} exists: choose another name, or replace it with --force`)
}

async function writeArchive(
  deps: MaintenanceDeps,
  file: string,
): Promise<{ readonly archive: Archive; readonly leftOut: number[] }> {
  const archive = openArchive(file)
  const leftOut: number[] = []
  try {
    // Rows first: a file that appears later is merely a file the rows do not know, never a row without its file.
    await addDatabase(archive, deps.database)
    const key = exportVaultKey(deps.data)
    if (key !== undefined) await addBytes(archive, KEY_ENTRY, key)
    for (const store of deps.storages.all()) {
      const id = deps.storages.idOf(store)
      if (store.capabilities.provider === 'local')
        await addFolder(archive, { store, prefix: filesPrefix(id), folder: '' }, deps.signal)
      else leftOut.push(id)
    }
    await closeArchive(archive, deps)
    return { archive, leftOut }
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
  // A restored server builds the indexes of names and texts anew, from the files that came with it.
  const left: readonly string[] = [...SEARCH_TABLES, ...FULL_TEXT_TABLES]
  const tables = (await tableShapes(database)).filter(({ name }) => !left.includes(name))
  await inSnapshot(database, async (tx) => {
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

async function addBytes(archive: Archive, name: string, content: Buffer): Promise<void> {
  archive.entries[name] = { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  await added(archive, (done) => archive.tar.entry({ name, mode: 0o600 }, content, done))
}

interface FolderAt {
  readonly store: ObjectStore
  /** Before the keys of the store in the archive. */
  readonly prefix: string
  readonly folder: string
}

/** People go on working: what is removed or moved before its turn comes is not there any more. */
async function addFolder(archive: Archive, at: FolderAt, signal: AbortSignal): Promise<void> {
  if (at.folder !== '') await addFolderEntry(archive, `${at.prefix}${at.folder}/`)
  try {
    await addEntries(archive, at, signal)
  } catch (thrown) {
    // The root itself is missing when its disk is.
    if (at.folder === '' || !isGone(thrown)) throw thrown
  }
}

async function addEntries(archive: Archive, { store, prefix, folder }: FolderAt, signal: AbortSignal): Promise<void> {
  for await (const page of store.list(folder, { signal })) {
    for (const [index, name] of page.names.entries()) {
      const inside = { store, prefix, folder: folder === '' ? name : `${folder}/${name}` }
      if (page.kinds[index] === KIND_FOLDER) await addFolder(archive, inside, signal)
      else await addFile(archive, inside, signal)
    }
  }
}

const GONE: ReadonlySet<StorageReason> = new Set(['not-found', 'not-a-folder', 'is-folder'])

/** Whether an entry that was listed stands there no longer, or another one does. */
function isGone(thrown: unknown): boolean {
  return thrown instanceof StorageError && GONE.has(thrown.reason)
}

async function addFolderEntry(archive: Archive, name: string): Promise<void> {
  await added(archive, (done) => archive.tar.entry({ name, type: 'directory', mode: 0o700 }, done))
}

async function addFile(archive: Archive, { store, prefix, folder: key }: FolderAt, signal: AbortSignal): Promise<void> {
  await using reader = await openFile(archive, store, key)
  if (reader === undefined) return
  const { size, modifiedMs } = reader.entry
  const name = `${prefix}${key}`
  const entry = archive.tar.entry({ name, size, mtime: new Date(modifiedMs), mode: 0o600 })
  // What breaks an entry breaks the archive, which reports it.
  entry.on('error', () => {})
  const { written, sha256 } = await pour(archive, entry, reader.stream({ start: 0, end: size }, signal))
  if (written === size) archive.entries[name] = { size, sha256 }
  else await padChanged(archive, entry, { key, missing: size - written })
  const ended = once(entry, 'finish', { signal: archive.broken })
  entry.end(undefined)
  await ended
}

/** @returns undefined for a file that is gone, or that cannot be read: one with a second name, or of another account of the system */
async function openFile({ skipped }: Archive, store: ObjectStore, key: string): Promise<ObjectReader | undefined> {
  try {
    return await store.openRead(key)
  } catch (thrown) {
    const isClosed = thrown instanceof StorageError && thrown.reason === 'permission'
    if (!isClosed && !isGone(thrown)) throw thrown
    if (isClosed) skipped.push(key)
    return undefined
  }
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

async function closeArchive(archive: Archive, { clock }: MaintenanceDeps): Promise<void> {
  const manifest: BackupManifest = {
    format: 'godwit-backup-1',
    migration: Object.keys(MIGRATIONS).at(-1) ?? '',
    createdAt: clock.now(),
    entries: archive.entries,
  }
  const content = Buffer.from(JSON.stringify(manifest))
  await added(archive, (done) => archive.tar.entry({ name: MANIFEST_ENTRY, mode: 0o600 }, content, done))
  archive.tar.finalize()
  await finished(archive.file)
  fs.fsyncSync(archive.fd)
  fs.closeSync(archive.fd)
}
