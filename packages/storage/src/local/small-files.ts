import fs from 'node:fs'
import { Semaphore } from '@godwit/base'
import { checkEntryKey, folderOf, nameOf } from '../keys.ts'
import type { ConflictOptions, Entry, SmallFile, SmallFileResult } from '../object-store.ts'
import { asStorageError } from './disk-errors.ts'
import { toEntry } from './entries.ts'
import { FILE_MODE, type OpenFolder } from './folders.ts'
import { publish } from './publish.ts'
import type { LocalDeps } from './uploads.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants

/** Files written concurrently: flushes that arrive together share one commit of the filesystem's journal. */
const FILES_IN_FLIGHT = 32

/**
 * Writes many small files: each hidden, flushed and then given its name; the names of one folder share one flush at the end.
 * A file is reported only after that flush.
 */
export async function writeSmallFiles(
  deps: LocalDeps,
  files: readonly SmallFile[],
  options: ConflictOptions,
): Promise<SmallFileResult[]> {
  const results: SmallFileResult[] = Array.from(files, ({ key }) => ({ key, error: new Error('not written') }))
  const byFolder = Map.groupBy(files.keys(), (index) => folderOf(files[index]?.key ?? ''))
  const lanes = new Semaphore(FILES_IN_FLIGHT)
  await Promise.all(
    Array.from(byFolder, ([folder, indexes]) =>
      writeFolder(deps, { folder, indexes, files, results, lanes }, options).catch((error: unknown) => {
        for (const index of indexes) fail(results, index, error)
      }),
    ),
  )
  options.signal?.throwIfAborted()
  return results
}

interface FolderBatch {
  readonly folder: string
  readonly indexes: readonly number[]
  readonly files: readonly SmallFile[]
  readonly results: SmallFileResult[]
  readonly lanes: Semaphore
}

async function writeFolder(deps: LocalDeps, batch: FolderBatch, options: ConflictOptions): Promise<void> {
  const { folders, staging } = deps
  const base = await staging.baseFor(batch.folder)
  const hiddenFolder = folderOf(staging.key(base, staging.newId()))
  await folders.inside(hiddenFolder, (hidden) =>
    folders.inside(batch.folder, async (target) => {
      const written = await Promise.all(
        batch.indexes.map((index) => batch.lanes.run(() => writeAt(deps, batch, index, { hidden, target, options }))),
      )
      await deps.disk.flushFolder(target.file)
      for (const report of written) report()
    }),
  )
}

/** @returns what to do once the folder is flushed */
async function writeAt(deps: LocalDeps, batch: FolderBatch, index: number, places: Places): Promise<() => void> {
  const file = batch.files[index]
  if (file === undefined || places.options.signal?.aborted === true) return () => {}
  try {
    const entry = await writeOne(deps, file, places)
    return () => (batch.results[index] = { key: file.key, entry })
  } catch (error) {
    return () => fail(batch.results, index, error)
  }
}

interface Places {
  readonly hidden: OpenFolder
  readonly target: OpenFolder
  readonly options: ConflictOptions
}

async function writeOne(deps: LocalDeps, small: SmallFile, places: Places): Promise<Entry> {
  const { disk, guard, folders, staging } = deps
  checkEntryKey(small.key)
  await guard.admit(folders.root, small.content.length)
  const id = staging.newId()
  const from = { path: `${places.hidden.at}/${id}`, folder: places.hidden }
  const to = { path: `${places.target.at}/${nameOf(small.key)}`, folder: places.target }
  try {
    const stat = await writeHidden(deps, from.path, small)
    await publish(deps, from, to, { conflict: places.options.conflict, flush: false })
    return toEntry(small.key, stat)
  } catch (error) {
    await disk.unlink(from.path).catch(() => {}) // Already gone, or left for the sweeper; the first error is the one to report.
    throw error
  }
}

async function writeHidden(deps: LocalDeps, path: string, small: SmallFile) {
  const { disk } = deps
  const file = await disk.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE)
  try {
    let rest = small.content
    for (let done = 0; rest.length > 0; rest = small.content.subarray(done))
      done += await disk.write(file, [rest], done)
    if (small.modifiedMs !== undefined) await disk.setModified(file, small.modifiedMs)
    await disk.flush(file)
    return await disk.statFile(file)
  } finally {
    await disk.close(file)
  }
}

function fail(results: SmallFileResult[], index: number, error: unknown): void {
  const key = results[index]?.key ?? ''
  const failure = asStorageError(error, key)
  results[index] = { key, error: failure instanceof Error ? failure : new Error('not written', { cause: failure }) }
}
