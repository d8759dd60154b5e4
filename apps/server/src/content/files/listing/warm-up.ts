import type { Clock } from '@godwit/base'
import { inventedFolder } from '@godwit/storage'
import { FirstEntries } from './first-entries.ts'
import { FolderNames } from './folder-names.ts'
import { sortedIndex } from './name-order.ts'
import { breather } from './sliced-sort.ts'

const NAMES = 16_000
const AMONG_FIRST = 500
/** Half a megabyte each. By then the engine has compiled all that comes before the first page. */
const BATCHES = 16

/** Compiled code is thrown away with the last object of a class that it was compiled for. */
const kept: unknown[] = []

/**
 * Reads, picks and sorts invented names, about 150 ms of work in short slices. Code that never ran is interpreted at first, and
 * the first big folder after a start would take twice as long to show.
 */
export async function warmUpListing(clock: Clock): Promise<void> {
  const breathe = breather(clock)
  const pages = inventedFolder(inventedNames())
  const first = new FirstEntries(AMONG_FIRST)
  await FolderNames.read(pages(BATCHES), first, breathe)
  const read = await FolderNames.read(pages(1), first, breathe)
  const sorted = await FolderNames.read(pages(1), first, breathe)
  kept.push(first, first.inOrder(), read, await sortedIndex(await sorted.packed(breathe), '', breathe))
}

/** Names as they are met: numbers with and without zeros in front, both cases, other scripts, folders. */
function inventedNames(): string[] {
  return Array.from({ length: NAMES }, (_, at) => {
    // A step that shares no factor with the count brings every number once, out of order.
    const number = (at * 7_919) % NAMES
    const padded = String(number).padStart(6, '0')
    if (at % 100 === 0) return `Day ${number}/`
    if (at % 101 === 0) return `文件 ${number}.txt`
    return [`IMG ${number} take 2.mov`, `file ${number}`, `Scan_${padded}.PDF`, `frame.${padded}.exr`][at % 4] ?? ''
  })
}
