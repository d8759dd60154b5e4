/**
 * What of a table is selected: some rows by their ids, or everything that matches the filter except some. "Everything" needs no
 * ids, so it holds for a hundred thousand rows of which one page is here.
 */
export type TableSelection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }

export const NOTHING_SELECTED: TableSelection = { kind: 'some', ids: new Set() }
export const ALL_SELECTED: TableSelection = { kind: 'all', except: new Set() }

export function isRowSelected(selection: TableSelection, id: string): boolean {
  return selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id)
}

/** @param total rows that match, over all pages */
export function selectedRowCount(selection: TableSelection, total: number): number {
  return selection.kind === 'some' ? selection.ids.size : Math.max(0, total - selection.except.size)
}

/** Selects these rows, or takes them out of the selection; the others stay as they are. */
export function withRows(selection: TableSelection, ids: readonly string[], isSelected: boolean): TableSelection {
  const marked = new Set(selection.kind === 'some' ? selection.ids : selection.except)
  const isMarked = isSelected === (selection.kind === 'some')
  for (const id of ids) {
    if (isMarked) marked.add(id)
    else marked.delete(id)
  }
  return selection.kind === 'some' ? { kind: 'some', ids: marked } : { kind: 'all', except: marked }
}

export function toggleRow(selection: TableSelection, id: string): TableSelection {
  return withRows(selection, [id], !isRowSelected(selection, id))
}

/** How much of a page is selected: what the box in the head of the table shows. */
export function pageSelection(selection: TableSelection, ids: readonly string[]): 'none' | 'some' | 'all' {
  const count = ids.filter((id) => isRowSelected(selection, id)).length
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some'
}

/** Selects from the row that was chosen last to this one, both included, as Shift does. */
export function withRange(
  selection: TableSelection,
  ids: readonly string[],
  [from, to]: readonly [number, number],
): TableSelection {
  return withRows(selection, ids.slice(Math.min(from, to), Math.max(from, to) + 1), true)
}
