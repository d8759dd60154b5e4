import type { OperationReply } from '@godwit/contract'

export const FILE = 0
export const VIRTUAL_FOLDER = 2

/** One folder's entries in the server's order, a column each: 100,000 rows are four arrays, not 100,000 objects. */
export interface Listing {
  readonly names: readonly string[]
  /** 0 file, 1 folder, 2 virtual folder. */
  readonly types: Uint8Array
  readonly sizes: Float64Array
  /** Unix seconds. */
  readonly times: Float64Array
  /** Rows loaded so far, at most `total`. */
  readonly count: number
  readonly total: number
  readonly version: string
  /** Shown already, not yet agreed to by the server. */
  readonly pendingName?: string
}

export type ColumnsPage = OperationReply<'columns'>

export interface Entry {
  readonly name: string
  readonly type: number
  readonly size: number
  readonly time: number
}

export const EMPTY: Listing = {
  names: [],
  types: new Uint8Array(),
  sizes: new Float64Array(),
  times: new Float64Array(),
  count: 0,
  total: 0,
  version: '',
}

/** Collects pages; every page gives a new view on the same arrays, which only ever grow at their end. */
export function collectListing(): { add(page: ColumnsPage): Listing } {
  let names: string[] = []
  let types = new Uint8Array()
  let sizes = new Float64Array()
  let times = new Float64Array()
  let count = 0
  return {
    add(page) {
      const total = Math.max(page.total, count + page.names.length)
      if (total > types.length) {
        types = grown(types, new Uint8Array(total))
        sizes = grown(sizes, new Float64Array(total))
        times = grown(times, new Float64Array(total))
      }
      types.set(page.types, count)
      sizes.set(page.sizes, count)
      times.set(page.times, count)
      names = count === 0 ? page.names : names.concat(page.names)
      count += page.names.length
      return { names, types, sizes, times, count, total: page.next === null ? count : total, version: page.version }
    },
  }
}

function grown<Column extends Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

export function entryAt(listing: Listing, index: number): Entry | undefined {
  const name = listing.names[index]
  if (name === undefined) return undefined
  const { types, sizes, times } = listing
  return { name, type: types[index] ?? FILE, size: sizes[index] ?? 0, time: times[index] ?? 0 }
}

export function isFolder(type: number): boolean {
  return type !== FILE
}

/** The listing without these rows: what a person sees at once after a delete or a move. */
export function withoutRows(listing: Listing, isGone: (index: number) => boolean): Listing {
  const kept: number[] = []
  for (let index = 0; index < listing.count; index++) if (!isGone(index)) kept.push(index)
  const { names, types, sizes, times } = listing
  return {
    names: kept.map((index) => names[index] ?? ''),
    types: Uint8Array.from(kept, (index) => types[index] ?? FILE),
    sizes: Float64Array.from(kept, (index) => sizes[index] ?? 0),
    times: Float64Array.from(kept, (index) => times[index] ?? 0),
    count: kept.length,
    total: listing.total - (listing.count - kept.length),
    version: `${listing.version}*`,
  }
}

/** The listing with one name changed; its place is settled by the next answer of the server. */
export function withName(listing: Listing, from: string, name: string): Listing {
  const index = listing.names.indexOf(from)
  return index < 0
    ? listing
    : { ...listing, names: listing.names.with(index, name), version: `${listing.version}*`, pendingName: name }
}

/** Where rows of one listing stand in another, by name; -1 when they are gone. */
export function rowsByName(from: Listing, rows: Iterable<number>, to: Listing): readonly number[] {
  const wanted = new Map<string, number>()
  for (const row of rows) {
    const name = from.names[row]
    if (name !== undefined) wanted.set(name, -1)
  }
  for (let index = 0; index < to.count; index++) {
    const name = to.names[index] ?? ''
    if (wanted.has(name)) wanted.set(name, index)
  }
  return [...wanted.values()]
}

/** An entry as it was chosen: the list may change while something is asked about it or typed into it. */
export interface NamedRow {
  readonly row: number
  readonly name: string
}

export function namedRow(listing: Listing, row: number): NamedRow {
  return { row, name: listing.names[row] ?? '' }
}

/** Where it stands now; -1 when it is gone. */
export function rowNow(listing: Listing, { row, name }: NamedRow): number {
  return listing.names[row] === name ? row : listing.names.indexOf(name)
}

/** First row whose name begins with the typed letters, searched from `from` on and around. */
export function findByPrefix(listing: Listing, prefix: string, from: number): number {
  const wanted = prefix.toLocaleLowerCase()
  for (let step = 0; step < listing.count; step++) {
    const index = (from + step) % listing.count
    if ((listing.names[index] ?? '').toLocaleLowerCase().startsWith(wanted)) return index
  }
  return -1
}
