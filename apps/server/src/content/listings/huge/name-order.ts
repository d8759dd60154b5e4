import { compareNames } from '@godwit/base'
import { KIND_FOLDER } from '@godwit/storage'
import { FolderIndex } from '../folder-index.ts'
import { Rows, textAt, type RawNames } from '../packed-names.ts'
import { slicedSort, type Breathe } from '../sliced-sort.ts'

/** Entries looked at between two turns of others. */
const AT_ONCE = 4_096
/** Bytes of a key that fit into a number exactly, below the bit that puts files behind folders. */
const HEAD_BYTES = 6

/** Negative when the left entry stands first; 0 for an entry and itself alone. */
type ByPlace = (left: number, right: number) => number

/**
 * Order of the entries of `raw`: folders first, then by name. Names of one folder often begin alike, so what follows their
 * common beginning is turned into a number an entry: most comparisons are then one subtraction.
 */
async function byPlace(raw: RawNames, breathe: Breathe): Promise<ByPlace> {
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

async function headsOf({ kinds, keys: { bytes, ends } }: RawNames, breathe: Breathe): Promise<Float64Array> {
  const shared = await sharedBytes({ bytes, ends }, breathe)
  const heads = new Float64Array(ends.length)
  let start = 0
  for (let row = 0; row < heads.length; row++) {
    if (row % AT_ONCE === 0) await breathe()
    const end = ends[row] ?? 0
    let head = end === start ? Number.NaN : kinds[row] === KIND_FOLDER ? 0 : 1
    const from = start + shared
    for (let at = from; at < from + HEAD_BYTES; at++) head = head * 256 + (at < end ? (bytes[at] ?? 0) : 0)
    heads[row] = head
    start = end
  }
  return heads
}

/** How many bytes all keys begin with in common. */
async function sharedBytes({ bytes, ends }: Pick<Rows, 'bytes' | 'ends'>, breathe: Breathe): Promise<number> {
  const first = ends.findIndex((end) => end > 0)
  let start = ends[first] ?? 0
  let shared = start
  for (let row = first + 1; row < ends.length && shared > 0; row++) {
    if (row % AT_ONCE === 0) await breathe()
    const end = ends[row] ?? 0
    if (end === start) continue
    // The first key begins at 0: those before it are empty.
    let at = 0
    while (at < shared && start + at < end && bytes[start + at] === bytes[at]) at++
    shared = at
    start = end
  }
  return shared
}

/** Sorts names into an index: folders first. */
export async function sortedIndex(raw: RawNames, version: string, breathe: Breathe): Promise<FolderIndex> {
  const order = await slicedSort(raw.names.count, await byPlace(raw, breathe), breathe)
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
