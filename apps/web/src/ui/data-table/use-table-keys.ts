import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { keyedRow } from '../../lib/list-keys.ts'
import { isMac } from '../../lib/shortcuts.ts'
import type { Windowing } from '../../lib/use-windowing.ts'
import type { DataTableProps, TableSelecting } from './table-props.ts'
import { NOTHING_SELECTED, toggleRow, withRange, withRows } from './table-selection.ts'

const ROWS_PER_PAGE = 10

export interface TableKeysOptions<Row> extends Pick<DataTableProps<Row>, 'idOf'> {
  readonly table: RefObject<HTMLElement | null>
  readonly rows: readonly Row[]
  readonly selecting: TableSelecting | undefined
  readonly rowHeight: number
  /** Absent when every row is drawn. */
  readonly windowing: Windowing | undefined
}

/**
 * The keyboard of a table whose rows are selected: one row is a tab stop, arrows move it, Space selects, Shift extends, Ctrl+A
 * takes the page, Escape clears. Buttons inside a row keep their own keys.
 */
export function useTableKeys<Row>({ table, rows, idOf, selecting, rowHeight, windowing }: TableKeysOptions<Row>) {
  const [focus, setFocus] = useState(0)
  const anchor = useRef(0)
  const wanted = useRef(-1)
  const ids = (): string[] => rows.map(idOf)
  const moveTo = (index: number): void => {
    setFocus(index)
    wanted.current = index
    windowing?.show(index)
  }
  useEffect(() => {
    // A row that was out of sight is drawn first.
    const row = table.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)
    if (wanted.current < 0 || row === null || row === undefined) return
    wanted.current = -1
    row.focus()
  })
  const pick = (index: number, isRange: boolean): void => {
    if (selecting === undefined || selecting.isWaiting === true) return
    const { selection, onSelect } = selecting
    onSelect(isRange ? withRange(selection, ids(), [anchor.current, index]) : toggleRow(selection, ids()[index] ?? ''))
    if (!isRange) anchor.current = index
  }
  const select = (event: KeyboardEvent): boolean => {
    if (selecting === undefined || selecting.isWaiting === true) return false
    const isMod = isMac(navigator.platform) ? event.metaKey : event.ctrlKey
    if (event.key === ' ') pick(focus, event.shiftKey)
    else if (isMod && event.key.toLowerCase() === 'a') selecting.onSelect(withRows(selecting.selection, ids(), true))
    else if (event.key === 'Escape') selecting.onSelect(NOTHING_SELECTED)
    else return false
    return true
  }
  const move = (event: KeyboardEvent): boolean => {
    const rowsPerPage = windowing === undefined ? ROWS_PER_PAGE : Math.floor(windowing.viewport / rowHeight)
    const index = keyedRow(focus, event.key, { count: rows.length, rowsPerPage })
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return false
    moveTo(index)
    if (event.shiftKey) pick(index, true)
    else anchor.current = index
    return true
  }
  return {
    focus: Math.min(focus, rows.length - 1),
    onFocus: setFocus,
    onPick: pick,
    onKeyDown(event: KeyboardEvent) {
      const isRow = event.target === event.currentTarget
      if (!isRow || !(select(event) || move(event))) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
