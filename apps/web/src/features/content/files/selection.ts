import { type FileSelection, isArchiveName } from '@godwit/contract/content/file-actions'
import { FILE, type Listing, rowsByName, VIRTUAL_FOLDER } from './listing.ts'

/**
 * Which rows are selected: these, or all but these. Selecting everything is one flag, however long the folder and however
 * much of it is loaded. `anchor` is where a range begins, `focus` the row that the keyboard is on; -1 is none.
 * The rules are those of GNOME Files (key_mouse_navigation.txt).
 */
export interface Selection {
  readonly isAllBut: boolean
  readonly rows: ReadonlySet<number>
  readonly anchor: number
  readonly focus: number
}

export const NOTHING: Selection = { isAllBut: false, rows: new Set(), anchor: -1, focus: -1 }

export interface Modifiers {
  /** Ctrl, or Cmd on a Mac. */
  readonly toggle: boolean
  readonly extend: boolean
}

export function isSelected(selection: Selection, row: number): boolean {
  return selection.rows.has(row) !== selection.isAllBut
}

export function selectedCount(selection: Selection, total: number): number {
  return selection.isAllBut ? total - selection.rows.size : selection.rows.size
}

/** What these rows are. */
export function selectionOf(
  { types, names }: Pick<Listing, 'types' | 'names'>,
  rows: readonly number[],
): FileSelection {
  const isAny = (kind: (type: number | undefined) => boolean): boolean => rows.some((row) => kind(types[row]))
  return {
    count: rows.length,
    hasFile: isAny((type) => type === FILE),
    hasFolder: isAny((type) => type !== FILE && type !== VIRTUAL_FOLDER),
    hasVirtualFolder: isAny((type) => type === VIRTUAL_FOLDER),
    isArchive: rows.length === 1 && rows.every((row) => types[row] === FILE && isArchiveName(names[row] ?? '')),
  }
}

/** Bytes of the selected files. @param allBytes the sum over the whole listing */
export function selectedBytes(selection: Selection, listing: Listing, allBytes: number): number {
  let sum = 0
  for (const row of selection.rows) sum += listing.sizes[row] ?? 0
  return selection.isAllBut ? allBytes - sum : sum
}

/** Selected rows in the order of the list. */
export function selectedRows(selection: Selection, count: number): number[] {
  if (!selection.isAllBut) return [...selection.rows].filter((row) => row < count).toSorted((a, b) => a - b)
  const rows: number[] = []
  for (let row = 0; row < count; row++) if (!selection.rows.has(row)) rows.push(row)
  return rows
}

/** A click: alone selects one, Ctrl turns one over, Shift takes the range from the anchor, both add the range. */
export function click(selection: Selection, row: number, { toggle, extend }: Modifiers): Selection {
  if (extend) return extendTo(selection, row, toggle)
  return toggle ? turnOver(selection, row) : only(row)
}

/** A key that moves: alone selects, Ctrl moves only the focus, Shift takes the range, both add the range. */
export function moveTo(selection: Selection, row: number, { toggle, extend }: Modifiers): Selection {
  if (extend) return extendTo(selection, row, toggle)
  return toggle ? { ...selection, focus: row } : only(row)
}

/** Turns one row over and puts focus and anchor there: Ctrl+click, Ctrl+Space, a check box. */
export function turnOver(selection: Selection, row: number): Selection {
  const rows = new Set(selection.rows)
  if (!rows.delete(row)) rows.add(row)
  return { ...selection, rows, anchor: row, focus: row }
}

export function only(row: number): Selection {
  return { isAllBut: false, rows: new Set([row]), anchor: row, focus: row }
}

export function selectAll(selection: Selection): Selection {
  return { ...selection, isAllBut: true, rows: new Set() }
}

export function selectNone(selection: Selection): Selection {
  return { ...NOTHING, focus: selection.focus, anchor: selection.focus }
}

function extendTo(selection: Selection, row: number, keepsOthers: boolean): Selection {
  const anchor = Math.max(0, selection.anchor === -1 ? selection.focus : selection.anchor)
  const range = rowsBetween(anchor, row)
  const base = keepsOthers ? withRows(selection, range) : { isAllBut: false, rows: new Set(range) }
  return { ...base, anchor, focus: row }
}

/** The rows under a rubber band, alone or added to what was selected when it began. */
export function band(before: Selection, from: number, to: number, adds: boolean): Selection {
  const range = from < 0 || to < 0 ? [] : rowsBetween(from, to)
  const base = adds ? withRows(before, range) : { isAllBut: false, rows: new Set(range) }
  return { ...base, anchor: from, focus: to < 0 ? before.focus : to }
}

/** The same for rows that need not stand side by side, as tiles under a band. */
export function bandOf(before: Selection, touched: readonly number[], adds: boolean): Selection {
  const base = adds ? withRows(before, touched) : { isAllBut: false, rows: new Set(touched) }
  const focus = touched.at(-1)
  return { ...base, anchor: touched[0] ?? -1, focus: focus ?? before.focus }
}

function withRows(selection: Selection, range: readonly number[]): Pick<Selection, 'isAllBut' | 'rows'> {
  const rows = new Set(selection.rows)
  for (const row of range) {
    if (selection.isAllBut) rows.delete(row)
    else rows.add(row)
  }
  return { isAllBut: selection.isAllBut, rows }
}

function rowsBetween(one: number, other: number): number[] {
  const first = Math.min(one, other)
  return Array.from({ length: Math.abs(one - other) + 1 }, (_, at) => first + at)
}

/** Carries a selection over to a newer listing of the same folder: by name, and without what is gone. */
export function carriedOver(selection: Selection, from: Listing, to: Listing): Selection {
  if (from === to || from.names === to.names) return selection
  const isGrown = to.count >= from.count && from.names[0] === to.names[0] && from.version === to.version
  if (isGrown) return selection
  const [anchor = -1] = rowsByName(from, [selection.anchor], to)
  const [focus = -1] = rowsByName(from, [selection.focus], to)
  const rows = new Set(rowsByName(from, selection.rows, to).filter((row) => row >= 0))
  // The row that had the focus is gone: the one that took its place has it now.
  const near = focus >= 0 || selection.focus < 0 ? focus : Math.min(selection.focus, to.count - 1)
  return { isAllBut: selection.isAllBut, rows, anchor: anchor >= 0 ? anchor : near, focus: near }
}
