import type { Location } from '../access/index.ts'
import type { Breathe, FolderIndex, Mark, Ordered } from '../listings/index.ts'

/** An index in one order and direction, without what is hidden from the principal. */
export interface ShownOrder {
  readonly count: number
  /** The entry at a position. */
  at(position: number): number
  mark(entry: number): Mark
  /** First position behind a mark. */
  after(mark: Mark): number
}

interface Wanted {
  readonly folder: Location
  readonly index: FolderIndex
  readonly ordered: Ordered
  readonly isDescending: boolean
}

/** Entries looked at between two turns of others. */
const AT_ONCE = 1_024

export async function shownOrder(wanted: Wanted, breathe: Breathe): Promise<ShownOrder> {
  const { folder, index, ordered, isDescending } = wanted
  if (!folder.mayHideBelow) {
    return {
      count: index.count,
      at: (position) => ordered.at(position, isDescending),
      mark: (entry) => ordered.mark(entry),
      after: (mark) => ordered.after(mark, isDescending),
    }
  }
  const positions = await shownPositions(wanted, breathe)
  return {
    count: positions.length,
    at: (position) => ordered.at(positions[position] ?? 0, isDescending),
    mark: (entry) => ordered.mark(entry),
    after: (mark) => firstFrom(positions, ordered.after(mark, isDescending)),
  }
}

async function shownPositions({ folder, index, ordered, isDescending }: Wanted, breathe: Breathe): Promise<number[]> {
  const positions: number[] = []
  for (let position = 0; position < index.count; position++) {
    if (position % AT_ONCE === 0) await breathe()
    const entry = ordered.at(position, isDescending)
    if (folder.shows(index.name(entry), index.isFolder(entry))) positions.push(position)
  }
  return positions
}

/** Index of the first number that is not below `least`. */
function firstFrom(ascending: readonly number[], least: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
