import { type DragEvent, useState } from 'react'
import { isFolder, type Listing } from './listing.ts'
import { isSelected, only, selectedRows, type Selection } from './selection.ts'

/** Marks a drag of rows of the list, in difference to files from the computer. */
export const ROWS_TYPE = 'application/x-godwit-rows'

export interface RowDragOptions {
  readonly listing: Listing
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  /** Absent when moving is not allowed. */
  readonly onMove: ((rows: readonly number[], target: number) => void) | undefined
  readonly rowAt: (clientY: number, clientX: number) => number
}

/** Dragging selected rows onto a folder moves them; the menu's "Move to" is its twin for keyboard and touch. */
export function useRowDrag({ listing, selection, onSelect, onMove, rowAt }: RowDragOptions) {
  const [target, setTarget] = useState(-1)
  const folderUnder = (event: DragEvent): number => {
    const row = rowAt(event.clientY, event.clientX)
    const canTake = row >= 0 && row < listing.count && isFolder(listing.types[row] ?? 0)
    return canTake && !(isRowDrag(event) && isSelected(selection, row)) ? row : -1
  }
  return {
    /** The folder row that a drop would go into, or -1. */
    target,
    handlers: {
      onDragStart(event: DragEvent) {
        const row = rowAt(event.clientY, event.clientX)
        if (onMove === undefined || row < 0) return event.preventDefault()
        if (!isSelected(selection, row)) onSelect(only(row))
        event.dataTransfer.setData(ROWS_TYPE, String(row))
        event.dataTransfer.effectAllowed = 'move'
      },
      onDragOver(event: DragEvent) {
        const row = folderUnder(event)
        setTarget(row)
        if (row < 0 || !isRowDrag(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
      },
      onDragLeave: () => setTarget(-1),
      onDragEnd: () => setTarget(-1),
      onDrop(event: DragEvent) {
        const row = folderUnder(event)
        setTarget(-1)
        if (!isRowDrag(event)) return
        event.preventDefault()
        if (row >= 0) onMove?.(selectedRows(selection, listing.count), row)
      },
    },
  }
}

export function isRowDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(ROWS_TYPE)
}
