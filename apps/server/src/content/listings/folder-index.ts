import { compareIgnoringCase, compareNames } from '@godwit/base'
import type { OrderBy } from '@godwit/contract'
import type { EntryColumns } from '@godwit/storage'
import { foldName } from '../access/index.ts'
import { textAt, type Rows } from './packed-names.ts'
import { slicedSort, type Breathe } from './sliced-sort.ts'

export interface Named {
  readonly name: string
  readonly isFolder: boolean
}

/** Where a page ended: the last entry's place in the order, so that the next page is found even when that entry is gone. */
export interface Mark extends Named {
  /** What the list is ordered by besides the name: bytes, milliseconds or the extension; null for names. */
  readonly value: number | string | null
}

/** Sizes and times of an index, filled as pages need them; NaN while unknown. */
export interface Details {
  readonly sizes: Float64Array
  readonly times: Float64Array
}

export function unknownDetails(count: number): Details {
  return { sizes: new Float64Array(count).fill(Number.NaN), times: new Float64Array(count).fill(Number.NaN) }
}

export interface Contents {
  /** Folders first, each part in the one collation. */
  readonly names: Rows
  readonly folderCount: number
  /** undefined while nothing is known */
  readonly details?: Details | undefined
}

/**
 * The names of a folder at one moment, folders first, each part in the one collation. Names do not change; details are
 * filled in as pages ask for them.
 */
export class FolderIndex {
  readonly version: string
  readonly count: number
  readonly folderCount: number
  readonly #names: Rows
  #details: Details | undefined
  readonly #orders = new Map<OrderBy, Uint32Array>()

  /** @param names folders first, each part in order */
  constructor({ names, folderCount, details }: Contents, version: string) {
    this.#names = names
    this.#details = details
    this.count = names.count
    this.folderCount = folderCount
    this.version = version
  }

  /** What it is made of, borrowed: nobody changes it. */
  get contents(): Contents {
    return { names: this.#names, folderCount: this.folderCount, details: this.#details }
  }

  /** Memory it holds. */
  get bytes(): number {
    return this.#names.size + this.count * (16 + this.#orders.size * 4)
  }

  /** Whether both hold the same names. */
  isSameAs(other: FolderIndex): boolean {
    return this.folderCount === other.folderCount && this.#names.isSameAs(other.#names)
  }

  name(entry: number): string {
    return textAt(this.#names, entry)
  }

  isFolder(entry: number): boolean {
    return entry < this.folderCount
  }

  size(entry: number): number {
    return this.#details?.sizes[entry] ?? 0
  }

  /** Unix milliseconds. */
  time(entry: number): number {
    return this.#details?.times[entry] ?? 0
  }

  isKnown(entry: number): boolean {
    return !Number.isNaN(this.#details?.sizes[entry] ?? Number.NaN)
  }

  /** Takes what the storage says of `entries`. */
  learn(entries: ArrayLike<number>, columns: EntryColumns): void {
    this.#details ??= unknownDetails(this.count)
    const { sizes, times } = this.#details
    let isNews = false
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? 0
      isNews ||= sizes[entry] !== columns.sizes[at] || times[entry] !== columns.modifiedMs[at]
      sizes[entry] = columns.sizes[at] ?? 0
      times[entry] = columns.modifiedMs[at] ?? 0
    }
    if (!isNews) return
    this.#orders.delete('size')
    this.#orders.delete('time')
  }

  /** Prepares an order; 'size' and 'time' need all details. */
  async order(by: OrderBy, breathe: Breathe): Promise<Ordered> {
    if (by === 'name') return new Ordered(this, by, undefined)
    const known = this.#orders.get(by)
    const compare = (left: number, right: number): number => this.#compare(by, left, right)
    const permutation = known ?? (await slicedSort(this.count, compare, breathe))
    this.#orders.set(by, permutation)
    return new Ordered(this, by, permutation)
  }

  value(by: OrderBy, entry: number): Mark['value'] {
    switch (by) {
      case 'name':
        return null
      case 'size':
        return this.size(entry)
      case 'time':
        return this.time(entry)
      case 'type':
        return this.isFolder(entry) ? '' : extensionOf(this.name(entry))
    }
  }

  /** Where a name stands, or would stand. */
  placeOf({ name, isFolder }: Named): number {
    return this.#lowerBound(isFolder, (other) => compareNames(other, name))
  }

  /** Position of a name, -1 when there is none. */
  indexOf({ name, isFolder }: Named): number {
    const at = this.placeOf({ name, isFolder })
    return at < this.#partEnd(isFolder) && this.name(at) === name ? at : -1
  }

  /** The names that only differ from `name` in case or in the form of their accents; `name` itself is not one of them. */
  twinsOf(name: string): string[] {
    return [true, false].flatMap((isFolder) => {
      const twins: string[] = []
      let at = this.#lowerBound(isFolder, (other) => compareIgnoringCase(other, name))
      for (; at < this.#partEnd(isFolder) && compareIgnoringCase(this.name(at), name) === 0; at++) {
        if (this.name(at) !== name && isSameButCase(this.name(at), name)) twins.push(this.name(at))
      }
      return twins
    })
  }

  #compare(by: OrderBy, left: number, right: number): number {
    const folders = Number(this.isFolder(right)) - Number(this.isFolder(left))
    return folders || compareValues(this.value(by, left), this.value(by, right)) || left - right
  }

  #partEnd(isFolder: boolean): number {
    return isFolder ? this.folderCount : this.count
  }

  /** First entry of a part that does not stand before what `compare` looks for. */
  #lowerBound(isFolder: boolean, compare: (name: string) => number): number {
    let low = isFolder ? 0 : this.folderCount
    let high = this.#partEnd(isFolder)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(this.name(middle)) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** An index in one order. Descending turns each part around: folders stay first. */
export class Ordered {
  readonly #index: FolderIndex
  readonly #by: OrderBy
  readonly #permutation: Uint32Array | undefined

  constructor(index: FolderIndex, by: OrderBy, permutation: Uint32Array | undefined) {
    this.#index = index
    this.#by = by
    this.#permutation = permutation
  }

  /** The entry at a position. */
  at(position: number, isDescending: boolean): number {
    const { folderCount, count } = this.#index
    const turned = position < folderCount ? folderCount - 1 - position : count - 1 - (position - folderCount)
    const place = isDescending ? turned : position
    return this.#permutation?.[place] ?? place
  }

  mark(entry: number): Mark {
    const index = this.#index
    return { name: index.name(entry), isFolder: index.isFolder(entry), value: index.value(this.#by, entry) }
  }

  /** First position behind a mark. */
  after(mark: Mark, isDescending: boolean): number {
    let low = 0
    let high = this.#index.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const here = this.mark(this.at(middle, isDescending))
      const part = Number(mark.isFolder) - Number(here.isFolder)
      const order = compareValues(here.value, mark.value) || compareNames(here.name, mark.name)
      if ((part || (isDescending ? -order : order)) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

function compareValues(left: Mark['value'], right: Mark['value']): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return compareNames(left, right)
  return 0
}

/** The part behind the last dot in lower case; '' without one. A leading dot begins a hidden name, no extension. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

/** Whether a disk that folds case, or one that folds forms of accents, would take both names for one. */
export function isSameButCase(left: string, right: string): boolean {
  return foldName(left) === foldName(right)
}
