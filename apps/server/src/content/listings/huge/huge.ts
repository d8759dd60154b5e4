import { setTimeout as pause } from 'node:timers/promises'
import type { ListPage } from '@godwit/storage'
import type { FolderIndex, Named } from '../folder-index.ts'
import type { Breathe } from '../sliced-sort.ts'
import { FirstEntries } from './first-entries.ts'
import { FolderNames } from './folder-names.ts'
import { sortedIndex } from './name-order.ts'

/** So many entries are picked out before the rest is sorted: the largest page that is answered early. */
const PREVIEW_ENTRIES = 1_000
/** The first page is looked up and sent within this time; sorting the rest would only delay it. */
const HEAD_START_MS = 20

/** The first entries of a folder, by name. */
export interface Preview {
  readonly entries: readonly Named[]
  readonly total: number
  readonly version: string
}

export interface HugeReading {
  readonly version: string
  /** Gives the event loop a turn whenever a slice of work is done. */
  readonly breathe: Breathe
  /** Called once everything is read, before anything is sorted. @returns whether somebody waits for the preview */
  readonly onPreview: (preview: Preview) => boolean
}

/** Reads and sorts a folder too big to be done in one go. @param pages everything that the folder holds */
export async function hugeIndex(
  pages: AsyncIterable<ListPage>,
  { version, breathe, onPreview }: HugeReading,
): Promise<FolderIndex> {
  const first = new FirstEntries(PREVIEW_ENTRIES)
  const names = await FolderNames.read(pages, first, breathe)
  if (onPreview({ entries: first.inOrder(), total: names.count, version })) await pause(HEAD_START_MS)
  return sortedIndex(await names.packed(breathe), version, breathe)
}
