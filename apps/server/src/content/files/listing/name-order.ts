import { compareNames } from '@godwit/base'
import { KIND_FOLDER } from '@godwit/storage'
import { FolderIndex } from './folder-index.ts'
import { Rows, textAt, type RawNames } from './packed-names.ts'
import { slicedSort, type Breathe } from './sliced-sort.ts'

/** Entries looked at between two turns of others. */
const AT_ONCE = 4_096
/** Bytes of a key that fit into a number exactly, below the bit that puts files behind folders. */
const HEAD_BYTES = 6

/** Negative when the left entry stands first; 0 for an entry and itself alone. */
export type ByPlace = (left: number, right: number) => number

/**
 * Order of the entries of `raw`: folders first, then by name. Names of one folder often begin alike, so what follows their
 * common beginning is turned into a number an entry: most comparisons are then one subtraction.
 */
export async function byPlace(raw: RawNames, breathe: Breathe): Promise<ByPlace> {
  const heads = await headsOf(raw, breathe)
  const { names, kinds, keys } = raw
  return (left, right) => {
    const byHeads = (heads[left] ?? 0) - (heads[right] ?? 0)
    // NaN for those without a key, which only the collator can place.
    if (Math.abs(byHeads) > 0) return byHeads
    const part = Number(kinds[right] === KIND_FOLDER) - Number(kinds[left] === KIND_FOLDER)
    const byKeys = keys.isEmpty(left) || keys.isEmpty(right) ? 0 : keys.compare(left, right)
    return part || byKeys || compareNames(textAt(names, left), textAt(names, right))
  }
}

async function headsOf({ kinds, keys }: RawNames, breathe: Breathe): Promise<Float64Array> {
  const shared = await sharedBytes(keys, breathe)
  const heads = new Float64Array(keys.count)
  for (let row = 0; row < heads.length; row++) {
    if (row % AT_ONCE === 0) await breathe()
    const [from, end] = [keys.start(row) + shared, keys.end(row)]
    let head = keys.isEmpty(row) ? Number.NaN : Number(kinds[row] !== KIND_FOLDER)
    for (let at = from; at < from + HEAD_BYTES; at++) head = head * 256 + (at < end ? (keys.bytes[at] ?? 0) : 0)
    heads[row] = head
  }
  return heads
}

/** How many bytes all keys begin with in common. */
async function sharedBytes(keys: Rows, breathe: Breathe): Promise<number> {
  let first: number | undefined
  let shared = 0
  for (let row = 0; row < keys.count; row++) {
    if (row % AT_ONCE === 0) await breathe()
    if (keys.isEmpty(row)) continue
    if (first === undefined) {
      first = keys.start(row)
      shared = keys.end(row) - first
      continue
    }
    const [from, length] = [keys.start(row), Math.min(shared, keys.end(row) - keys.start(row))]
    for (shared = 0; shared < length && keys.bytes[from + shared] === keys.bytes[first + shared];) shared++
  }
  return shared
}

/** Sorts names into an index: folders first. */
export async function sortedIndex(raw: RawNames, version: string, sorting: Sorting): Promise<FolderIndex> {
  const { compare, breathe } = sorting
  const order = await slicedSort(raw.names.count, compare, breathe)
  let folderCount = 0
  while (folderCount < order.length && raw.kinds[order[folderCount] ?? 0] === KIND_FOLDER) folderCount++
  const { bytes } = raw.names
  const sorted = Buffer.allocUnsafeSlow(bytes.length)
  const ends = new Uint32Array(order.length)
  let end = 0
  for (let at = 0; at < order.length; at++) {
    const entry = order[at] ?? 0
    // Byte by byte: a call to copy so few takes longer.
    for (let from = raw.names.start(entry); from < raw.names.end(entry); from++) sorted[end++] = bytes[from] ?? 0
    ends[at] = end
    if (at % AT_ONCE === 0) await breathe()
  }
  return new FolderIndex({ names: new Rows(sorted, ends), folderCount }, version)
}

export interface Sorting {
  readonly compare: ByPlace
  readonly breathe: Breathe
}

/** The first `limit` entries in order: a page that can be shown while the rest is still being sorted. */
export async function firstOf(count: number, limit: number, { compare, breathe }: Sorting): Promise<number[]> {
  let best: number[] = []
  let worst: number | undefined
  for (let entry = 0; entry < count; entry++) {
    if (entry % AT_ONCE === 0) await breathe()
    if (worst !== undefined && compare(entry, worst) > 0) continue
    best.push(entry)
    if (best.length < 2 * limit) continue
    best = best.toSorted(compare).slice(0, limit)
    worst = best.at(-1)
  }
  return best.toSorted(compare).slice(0, limit)
}
