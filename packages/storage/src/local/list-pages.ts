import { isHiddenName, isValidName } from '../keys.ts'
import { KIND_FILE, KIND_FOLDER, KIND_GONE, type EntryColumns, type ListPage } from '../object-store.ts'
import type { DiskEntry } from './disk.ts'
import type { PlainPage } from './plain-page.ts'

/** Sizes and times of names in the folder that is listed. */
export type StatMany = (names: readonly string[]) => Promise<EntryColumns>

interface PageOptions {
  readonly details?: boolean
}

/** Entries whose names need no check, as a page. */
export async function pageOfPlain(page: PlainPage, statMany: StatMany, { details }: PageOptions): Promise<ListPage> {
  if (details !== true) return page
  const { plain, kinds, names } = page
  return { plain, kinds, names, leftOut: 0, details: await statMany(names) }
}

/** Entries as a page, without those that no key can name. */
export async function pageOf(
  entries: readonly DiskEntry[],
  statMany: StatMany,
  { details }: PageOptions,
): Promise<ListPage> {
  const { shown, leftOut } = await reachable(entries, statMany)
  const names = shown.map((entry) => entry.name)
  const kinds = Uint8Array.from(shown, (entry) => (entry.kind === 'file' ? KIND_FILE : KIND_FOLDER))
  if (details !== true) return { names, kinds, leftOut }
  return { names, kinds, leftOut, details: await statMany(names) }
}

async function reachable(
  entries: readonly DiskEntry[],
  statMany: StatMany,
): Promise<{ readonly shown: readonly DiskEntry[]; readonly leftOut: number }> {
  const named: DiskEntry[] = []
  const doubtful: DiskEntry[] = []
  let leftOut = 0
  for (const entry of entries) {
    if (entry.kind !== 'other' && isValidName(entry.name)) {
      named.push(entry)
      if (entry.name.includes('\u{FFFD}')) doubtful.push(entry)
    } else if (!isHiddenName(entry.name)) leftOut++
  }
  if (doubtful.length === 0) return { shown: named, leftOut }
  // Bytes that are not UTF-8 decode to U+FFFD, so no text names such an entry. A real U+FFFD is found under its name.
  const { kinds } = await statMany(doubtful.map((entry) => entry.name))
  const lost = new Set(doubtful.filter((_entry, index) => kinds[index] === KIND_GONE))
  return { shown: named.filter((entry) => !lost.has(entry)), leftOut: leftOut + lost.size }
}
