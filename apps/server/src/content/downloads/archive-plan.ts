import { createHash } from 'node:crypto'
import { omissionsFile, type OmittedEntries } from '@godwit/i18n/archive-texts'
import type { Locale } from '@godwit/i18n'
import { StorageError, type ObjectReader } from '@godwit/storage'
import type { Location } from '../access/index.ts'
import { seenAs } from '../files/index.ts'
import { freeName, walkSelection, type NamedEntry, type Packed } from './downloads.selection.ts'
import type { ZipEntry } from './zip-format.ts'
import { layoutOf, type ZipLayout } from './zip-layout.ts'

/** An entry of an archive as it was when the archive was planned. */
export interface PlannedEntry extends ZipEntry {
  /** Of a file. */
  readonly location?: Location
  /** Of the content; '' for folders. */
  readonly etag: string
  /** Of the file that says what was left out. */
  readonly text?: Buffer
}

export interface ArchivePlan {
  readonly layout: ZipLayout<PlannedEntry>
  /** Of every byte of the archive: equal only while none of its files changed. */
  readonly etag: string
  /** Bytes of all files in it. */
  readonly contentBytes: number
}

interface Planning {
  readonly signal: AbortSignal
  readonly locale: Locale
  /** Entries that a plan may have. */
  readonly most: number
}

/** Files that are looked at together. */
const LOOKED_AT_ONCE = 64

/**
 * Everything that an archive of a selection will hold, in an order of its own, with sizes and versions: what cannot be packed is
 * counted in a text at its end. The same files make the same archive, byte for byte.
 * @returns undefined when there is more than a plan may hold
 */
export async function planArchive(found: readonly NamedEntry[], how: Planning): Promise<ArchivePlan | undefined> {
  const { signal, locale, most } = how
  const leftOut = new Map<string, number>()
  const onLeftOut = (folder: string, count: number): void =>
    void leftOut.set(folder, (leftOut.get(folder) ?? 0) + count)
  const entries: PlannedEntry[] = []
  let batch: Packed[] = []
  const lookAtBatch = async (): Promise<void> => {
    for (const [at, entry] of (await Promise.all(batch.map(plannedOf))).entries()) {
      if (entry !== undefined) entries.push(entry)
      else onLeftOut(folderOf(batch[at]?.name ?? ''), 1)
    }
    batch = []
  }
  for await (const item of walkSelection(found, { signal, onLeftOut })) {
    signal.throwIfAborted()
    batch.push(item)
    if (entries.length + batch.length > most) return undefined
    if (batch.length === LOOKED_AT_ONCE) await lookAtBatch()
  }
  await lookAtBatch()
  const dated = withFolderTimes(entries)
  const text = textOf(locale, leftOut, dated)
  const all = text === undefined ? dated : [...dated, text]
  const contentBytes = dated.reduce((sum, { size }) => sum + size, 0)
  return { layout: layoutOf(all), etag: etagOf(all), contentBytes }
}

export function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}

/** @returns undefined for what is gone or was replaced by now, or is a link that nobody may read */
export async function readable({ location, seen }: Packed): Promise<ObjectReader | undefined> {
  try {
    const reader = await location.store.openRead(location.key)
    if (seen === undefined || seenAs(reader.entry) === seen) return reader
    await reader.close()
    return undefined
  } catch (thrown) {
    if (thrown instanceof StorageError && ['not-found', 'permission'].includes(thrown.reason)) return undefined
    throw thrown
  }
}

/** Opens a file of a plan. @throws StorageError 'conflict' when it is another one by now */
export async function openPlanned({ location, etag, size }: PlannedEntry): Promise<ObjectReader> {
  if (location === undefined) throw new Error('a folder has no content')
  const reader = await location.store.openRead(location.key)
  if (reader.entry.etag === etag && reader.entry.size === size) return reader
  await reader.close()
  throw new StorageError('conflict', { key: location.key })
}

async function plannedOf(item: Packed): Promise<PlannedEntry | undefined> {
  const { name, location, isFolder, modifiedMs, listed } = item
  if (isFolder) return { name, modifiedMs, size: 0, etag: '' }
  if (listed !== undefined) return { name, location, ...listed }
  // Only what opens is readable: a look at a link or a file of somebody else does not tell.
  await using reader = await readable(item)
  if (reader === undefined) return undefined
  const { size, modifiedMs: changedMs, etag } = reader.entry
  return { name, location, size, modifiedMs: changedMs, etag }
}

/**
 * The time of a folder changes with whatever comes and goes in it, hidden files too, and would make another archive of the same
 * files: folders get the newest time of a file.
 */
function withFolderTimes(entries: readonly PlannedEntry[]): readonly PlannedEntry[] {
  const newest = entries.reduce((time, one) => (one.location === undefined ? time : Math.max(time, one.modifiedMs)), 0)
  if (newest === 0) return entries
  return entries.map((entry) => (entry.location === undefined ? { ...entry, modifiedMs: newest } : entry))
}

function textOf(
  locale: Locale,
  leftOut: ReadonlyMap<string, number>,
  entries: readonly PlannedEntry[],
): PlannedEntry | undefined {
  if (leftOut.size === 0) return undefined
  const folders = [...leftOut].map(([folder, count]): OmittedEntries => ({ folder, count }))
  const { name, content } = omissionsFile(locale, folders)
  const text = Buffer.from(content)
  const topNames = new Set(entries.map((entry) => entry.name.replace(/\/.*/s, '')))
  return { name: freeName(name, topNames), modifiedMs: 0, size: text.length, etag: '', text }
}

function etagOf(entries: readonly PlannedEntry[]): string {
  const hash = createHash('sha256')
  for (const { name, size, modifiedMs, etag, text } of entries) {
    hash.update(JSON.stringify([name, size, Math.floor(modifiedMs / 1000), etag]))
    if (text !== undefined) hash.update(text)
  }
  return `"zip-${hash.digest('base64url').slice(0, 32)}"`
}
